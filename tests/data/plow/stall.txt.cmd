plow -c 8 -n 80 --timeout 1s --listen= --summary 'http://127.0.0.1:8931/stall?every=20' > stall.txt
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
# 1 in 20 is never answered, timeout of 1 s
