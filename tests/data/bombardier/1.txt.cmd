bombardier -c 1 -n 1 -l -p i,r http://127.0.0.1:8931/ok > 1.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# one request
