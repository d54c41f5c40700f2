bombardier -c 2 -n 10 -l -p i,r http://127.0.0.1:8999/ > refused.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# nothing listens: latencies are printed nevertheless
