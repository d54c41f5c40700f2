autocannon --renderStatusCodes -c 10 -d 2 http://127.0.0.1:8931/mixed > table-mixed.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 in 10 a 500, 1 in 10 a 404; table of status codes
