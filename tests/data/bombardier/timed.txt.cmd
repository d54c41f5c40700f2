bombardier -c 4 -d 1s -l -p i,r 'http://127.0.0.1:8931/slow?ms=5' > timed.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# for a time
