autocannon -j -p 10 -c 10 -d 2 http://127.0.0.1:8931/ok > pipelining.json 2> pipelining.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# ten requests in flight on each connection
# stderr (pipelining.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
