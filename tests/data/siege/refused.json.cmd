siege -b -c 2 -r 10 --no-parser http://127.0.0.1:8999/ > refused.json
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# nothing listens
