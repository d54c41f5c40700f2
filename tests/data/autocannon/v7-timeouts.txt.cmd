autocannon -j -t 1 -c 4 -d 3 'http://127.0.0.1:8931/slow?ms=1500&every=10' > v7-timeouts.json 2> v7-timeouts.txt
# tool: autocannon 7.15.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 answer in 10 comes after the timeout of 1 s
