h2load --h1 -D 1 --warm-up-time 1 -c 4 http://127.0.0.1:8931/ok > warm.txt
# tool: h2load nghttp2/1.52.0 (debian)
# recorded: 2026-11-22, exit status 0
# a second of warm-up is in the time, not in the rate
