autocannon -j -c 2 -d 2 http://127.0.0.1:8999/ > refused.json 2> refused.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# nothing listens there: errors only
# stderr (refused.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
