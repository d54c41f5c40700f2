fortio load -c 4 -t 2s http://127.0.0.1:8931/ok 2> default.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# 8 requests a second are the default
