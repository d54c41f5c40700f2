autocannon -a 100 -c 5 'http://127.0.0.1:8931/slow?ms=10&every=1' > table-amount.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# -a 100: Running 100 requests test
