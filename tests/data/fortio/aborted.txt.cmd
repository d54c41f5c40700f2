fortio load -c 2 -qps 50 -t 1s 'http://127.0.0.1:8931/status?code=500' 2> aborted.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 1
# ends with the first 500: no result
