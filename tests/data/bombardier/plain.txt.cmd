bombardier -c 4 -n 2000 --print r http://127.0.0.1:8931/ok > plain.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# no -l: no percentiles
