bombardier -c 8 -n 80 -t 1s -l -o json -p r 'http://127.0.0.1:8931/stall?every=20' > stall.json
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# 1 in 20 is never answered; the default client sends those again
