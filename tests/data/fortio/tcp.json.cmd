fortio load -c 2 -qps 50 -t 1s -json tcp.json tcp://127.0.0.1:8078 2> tcp.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# no HTTP
