fortio load -c 4 -qps 0 -n 1000 -json max.json http://127.0.0.1:8931/ok 2> max.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# as fast as it can, a number of requests
