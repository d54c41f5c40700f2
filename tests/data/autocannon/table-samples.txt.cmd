autocannon -L 500 -c 4 -d 2 'http://127.0.0.1:8931/slow?ms=20&every=1' > table-samples.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# -L 500: sampled every half second, still labelled Req/Sec
