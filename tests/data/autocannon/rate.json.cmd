autocannon -j -l -R 200 -c 10 -d 3 'http://127.0.0.1:8931/slow?ms=100&every=20' > rate.json 2> rate.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# -R 200: a rate is set, the latency is back-filled (totalCount above the requests)
# stderr (rate.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
