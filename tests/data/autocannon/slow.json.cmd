autocannon -j -l -c 10 -d 3 'http://127.0.0.1:8931/slow?ms=20&every=1' > slow.json 2> slow.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# every answer takes 20 ms
# stderr (slow.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
