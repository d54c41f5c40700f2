bombardier -c 2 -d 1s -l 'http://127.0.0.1:8931/slow?ms=5' > progress.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# everything is printed, the bar too
