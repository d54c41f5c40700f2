autocannon -t 1 -c 4 -d 3 http://127.0.0.1:8931/stall?every=1 > table-stalled.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# no request is ever answered: timeouts only
