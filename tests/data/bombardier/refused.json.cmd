bombardier -c 2 -n 10 -l -o json -p r http://127.0.0.1:8999/ > refused.json
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# nothing listens
