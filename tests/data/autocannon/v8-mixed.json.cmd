autocannon -j -t 1 -c 10 -d 2 http://127.0.0.1:8931/mixed > v8-mixed.json 2> v8-mixed.txt
# tool: autocannon 8.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 in 10 a 500, 1 in 10 a 404
# stderr (v8-mixed.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
