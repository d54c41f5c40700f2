timeout -s INT 1 plow -c 2 -n 1000000 --listen= --summary 'http://127.0.0.1:8931/slow?ms=5' > interrupted.txt
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 124
# stopped after 1 s
