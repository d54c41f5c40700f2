h2load --h1 -t 2 -m 2 -n 1000 -c 5 http://127.0.0.1:8931/ok > threads.txt
# tool: h2load nghttp2/1.52.0 (debian)
# recorded: 2026-11-22, exit status 0
# two threads, over HTTP/1.1 with two requests under way on a connection
