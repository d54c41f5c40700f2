(bombardier -c 2 -n 100 -l -p i,r http://127.0.0.1:8931/ok; bombardier -c 4 -n 100 -p i,r http://127.0.0.1:8931/mixed) > two-in-one-file.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# two runs, one after the other
