plow -c 4 -n 500 --listen= --summary http://127.0.0.1:8931/mixed > mixed.txt
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
# 1 in 10 is a 500, 1 in 10 a 404
