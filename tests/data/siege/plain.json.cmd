siege -b -c 4 -r 200 --no-parser http://127.0.0.1:8931/ok > plain.json
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# JSON is the default of 4.0.7
