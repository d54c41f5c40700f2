bombardier -c 4 -n 200 -l --http1 -p i,r 'http://127.0.0.1:8931/drop?every=20' > drop.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# 1 connection in 20 is closed without an answer; Go client
