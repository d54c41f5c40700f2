autocannon -l -c 10 -d 3 'http://127.0.0.1:8931/slow?ms=50&every=10' > latency-table.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# -l: the table of latency percentiles; 1 answer in 10 takes 50 ms
