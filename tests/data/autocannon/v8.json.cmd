autocannon -j -l --renderStatusCodes -c 10 -d 3 'http://127.0.0.1:8931/slow?ms=30&every=10' > v8.json 2> v8.txt
# tool: autocannon 8.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 answer in 10 takes 30 ms
# stderr (v8.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
