bombardier -c 4 -n 2000 -l --print intro,result http://127.0.0.1:8931/ok > latencies.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# with the line above that names target and connections
