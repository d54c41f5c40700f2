autocannon -j -t 1 -c 10 -d 2 http://127.0.0.1:8931/mixed > v7-mixed.json 2> v7-mixed.txt
# tool: autocannon 7.15.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 in 10 a 500, 1 in 10 a 404
