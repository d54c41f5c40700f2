fortio load -quiet -c 2 -qps 200 -t 1s -allow-initial-errors -log-errors=false -access-log-format influx -access-log-file access.influx 'http://127.0.0.1:8931/drop?every=20' 2> access-influx.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# a line per request; 1 in 20 is not answered
