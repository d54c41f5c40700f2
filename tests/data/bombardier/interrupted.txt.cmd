timeout -s INT 1 bombardier -c 2 -n 1000000 -l -p i,r 'http://127.0.0.1:8931/slow?ms=5' > interrupted.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 124
# stopped after 1 s
