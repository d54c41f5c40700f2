bombardier -c 4 -d 2s -r 100 -l -p i,r http://127.0.0.1:8931/ok > rate.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# 100 requests a second at most
