rewrk -c 4 -t 2 -d 1s -h http://127.0.0.1:8931/ok --json > plain.json
# tool: rewrk 0.3.2
# recorded: 2026-11-22, exit status 0
