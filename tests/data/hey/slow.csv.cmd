hey -z 2s -q 5 -c 4 -o csv 'http://127.0.0.1:8931/slow?ms=50' > slow.csv
# tool: hey 0.1.5
# recorded: 2026-11-22, exit status 0
# two seconds of answers after 50 ms, at most 5 a second for each of 4 workers
