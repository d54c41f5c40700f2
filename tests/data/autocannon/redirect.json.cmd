autocannon -j -c 4 -d 2 http://127.0.0.1:8931/redirect > redirect.json 2> redirect.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# every answer a 301: all non2xx
# stderr (redirect.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
