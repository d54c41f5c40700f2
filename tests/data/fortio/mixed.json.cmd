fortio load -c 4 -qps 100 -t 2s -allow-initial-errors -log-errors=false -p 50,90,95,99 -json mixed.json http://127.0.0.1:8931/mixed 2> mixed.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# 1 in 10 is a 500, 1 in 10 a 404; percentiles of choice
