bombardier -c 4 -n 500 -l -p i,r http://127.0.0.1:8931/mixed > mixed.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# 1 in 10 is a 500, 1 in 10 a 404
