autocannon -j -t 1 -c 4 -d 3 'http://127.0.0.1:8931/slow?ms=1500&every=10' > v8-timeouts.json 2> v8-timeouts.txt
# tool: autocannon 8.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 answer in 10 comes after the timeout of 1 s
# stderr (v8-timeouts.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
