(fortio load -c 2 -qps 50 -t 1s http://127.0.0.1:8931/ok; fortio load -c 4 -qps 100 -t 1s http://127.0.0.1:8931/varying) 2> two-in-one-file.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# two runs, one after the other
