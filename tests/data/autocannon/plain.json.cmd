autocannon -j -c 10 -d 3 http://127.0.0.1:8931/ok > plain.json 2> plain.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# plain: fixed body, every answer 200
# stderr (plain.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
