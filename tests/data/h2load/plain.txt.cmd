h2load --h1 -n 2000 -c 8 http://127.0.0.1:8931/ok > plain.txt
# tool: h2load nghttp2/1.52.0 (debian)
# recorded: 2026-11-22, exit status 0
# all answered
