plow -c 4 -n 500 --listen= --summary --json --seconds http://127.0.0.1:8931/mixed > mixed.json
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
# times in seconds, without a unit
