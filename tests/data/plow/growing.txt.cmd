plow -c 4 -d 1s --listen= 'http://127.0.0.1:8931/slow?ms=5' > growing.txt 2>&1
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
# a snapshot every 200 ms; the last is the result; with the line of stderr
