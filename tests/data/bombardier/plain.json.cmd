bombardier -c 4 -n 2000 -l -o json -p r http://127.0.0.1:8931/ok > plain.json
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
