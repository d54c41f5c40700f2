h2load --h1 -N 1 -T 1 -n 60 -c 4 'http://127.0.0.1:8931/stall' > stall.txt
# tool: h2load nghttp2/1.52.0 (debian)
# recorded: 2026-11-22, exit status 0
# 1 in 20 is never answered, and given up after a second
