node both.cjs '{"url": "http://127.0.0.1:8931/mixed", "connections": 10, "duration": 2}' '{"renderStatusCodes": true}' > same-run-mixed.json 2> same-run-mixed.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# JSON and table (with the status codes) of one run; 1 in 10 a 500, 1 in 10 a 404
