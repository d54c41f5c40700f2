plow -c 1 -n 1 --listen= --summary http://127.0.0.1:8931/ok > 1.txt
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
# one request
