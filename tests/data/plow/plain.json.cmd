plow -c 4 -n 2000 --listen= --summary --json http://127.0.0.1:8931/ok > plain.json
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
