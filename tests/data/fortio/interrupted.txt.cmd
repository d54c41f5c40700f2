timeout -s INT 1 fortio load -c 2 -qps 100 -t 30s http://127.0.0.1:8931/ok 2> interrupted.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 124
# stopped after 1 s
