autocannon -t 1 -c 10 -d 3 'http://127.0.0.1:8931/slow?ms=1500&every=10' > table-timeouts.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 answer in 10 comes after the timeout of 1 s
