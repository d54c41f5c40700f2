node ../../../benchkit/scenarios/tools/autocannon.js "$AUTOCANNON" responses-timeout.csv -c 4 -d 3 -t 1 'http://127.0.0.1:8931/slow?ms=2500&every=40' > responses-timeout.json
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 answer in 40 takes 2.5 s, the timeout is 1 s: some requests got no response, so no status is written
