plow -c 2 -n 20 --listen= --summary http://127.0.0.1:8999/ > refused.txt
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
# nothing listens
