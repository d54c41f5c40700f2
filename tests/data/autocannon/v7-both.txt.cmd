autocannon -j -c 4 -d 2 'http://127.0.0.1:8931/slow?ms=20&every=4' > v7-both.txt 2>&1
# tool: autocannon 7.15.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# -j and 2>&1: table and JSON of one run in one file, colour codes in the table
