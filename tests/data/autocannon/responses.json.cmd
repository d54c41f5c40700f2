node ../../../benchkit/scenarios/tools/autocannon.js "$AUTOCANNON" responses.csv -c 10 -d 2 'http://127.0.0.1:8931/slow?ms=20&every=4' > responses.json
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# every response counted, beside the JSON of the same run; 1 answer in 4 takes 20 ms
