fortio load -quiet -c 2 -qps 200 -t 1s -allow-initial-errors -log-errors=false -access-log-file access.log.json http://127.0.0.1:8931/mixed 2> access.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# a line per request; 1 in 10 is a 500, 1 in 10 a 404
