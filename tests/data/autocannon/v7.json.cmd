autocannon -j -l --renderStatusCodes -c 10 -d 3 'http://127.0.0.1:8931/slow?ms=30&every=10' > v7.json 2> v7.txt
# tool: autocannon 7.15.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# JSON, table, -l and status codes of one run
