bombardier -c 8 -n 80 -t 1s -l --http1 -p i,r 'http://127.0.0.1:8931/stall?every=20' > stall.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# 1 in 20 is never answered; Go client, timeout of 1 s
