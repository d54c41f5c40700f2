h2load --h1 -n 60 -c 4 -r 2 'http://127.0.0.1:8931/slow?ms=5' > rate.txt
# tool: h2load nghttp2/1.52.0 (debian)
# recorded: 2026-11-22, exit status 0
# two new connections a second
