node both.cjs '{"url": "http://127.0.0.1:8931/slow?ms=20&every=4", "connections": 10, "duration": 3}' '{"renderLatencyTable": true}' > same-run.json 2> same-run.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# JSON and table (with the percentiles) of one run; 1 answer in 4 takes 20 ms
