autocannon -j -p 10 -c 4 -d 2 http://127.0.0.1:8931/drop?every=50 > pipelining-drop.json
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 connection in 50 is closed without an answer, ten requests in flight: errors
