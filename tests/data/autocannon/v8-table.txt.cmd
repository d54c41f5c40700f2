autocannon -l --renderStatusCodes -c 10 -d 2 http://127.0.0.1:8931/mixed > v8-table.txt 2>&1
# tool: autocannon 8.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# the table with -l and status codes
