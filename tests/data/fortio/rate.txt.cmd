fortio load -c 4 -qps 200 -t 1s http://127.0.0.1:8931/ok 2> rate.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
