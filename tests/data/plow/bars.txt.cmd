plow -c 2 -n 200 -i 50ms --no-clean --listen= 'http://127.0.0.1:8931/slow?ms=1' > bars.txt
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
# bars beside the shares in the last one
