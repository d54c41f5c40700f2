fortio load -c 4 -qps 40 -t 1s -timeout 500ms -allow-initial-errors -json stall.json 'http://127.0.0.1:8931/stall?every=20' 2> stall.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# 1 in 20 is never answered, timeout of 500 ms
