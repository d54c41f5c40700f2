autocannon -c 10 -d 2 http://127.0.0.1:8931/reset?every=20 > table-reset.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 connection in 20 is reset: errors in thousands
