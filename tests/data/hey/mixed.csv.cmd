hey -n 300 -c 10 -o csv http://127.0.0.1:8931/mixed > mixed.csv
# tool: hey 0.1.5
# recorded: 2026-11-22, exit status 0
# 1 in 10 is a 500, 1 in 10 a 404; rows not in the order of time
