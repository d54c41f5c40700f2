(plow -c 2 -n 100 -i 50ms --listen= 'http://127.0.0.1:8931/slow?ms=5'; plow -c 4 -n 50 -i 50ms --listen= 'http://127.0.0.1:8931/slow?ms=5') > two-in-one-file.txt
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
# two runs, one after the other, each with its snapshots
