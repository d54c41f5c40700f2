autocannon -j -a 100 -c 5 'http://127.0.0.1:8931/slow?ms=10&every=1' > amount.json 2> amount.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# -a 100: a number of requests, not a duration
# stderr (amount.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
