autocannon -l -R 200 -c 10 -d 3 'http://127.0.0.1:8931/slow?ms=100&every=20' > table-rate.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# -R 200: a rate is set, the latency is back-filled
