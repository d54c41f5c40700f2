fortio load -c 2 -qps 100 -t 1s -r 0.0001 -json fine.json http://127.0.0.1:8931/ok 2> fine.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# steps of 100 us
