h2load --h1 -n 20 -c 4 http://127.0.0.1:8999/ > refused.txt 2>&1
# tool: h2load nghttp2/1.52.0 (debian)
# recorded: 2026-11-22, exit status 0
# nothing listens there
