autocannon -j -E 'Hello world' -c 4 -d 2 http://127.0.0.1:8931/varying > mismatch.json 2> mismatch.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# -E: every body differs from the expected one
# stderr (mismatch.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
