autocannon -j --renderStatusCodes -c 10 -d 2 http://127.0.0.1:8931/mixed > mixed.json 2> mixed.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 in 10 a 500, 1 in 10 a 404
# stderr (mixed.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
