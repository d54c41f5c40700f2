fortio load -c 2 -qps 200 -t 1s -allow-initial-errors -log-errors=false -json drop.json 'http://127.0.0.1:8931/drop?every=20' 2> drop.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# 1 in 20 is not answered
