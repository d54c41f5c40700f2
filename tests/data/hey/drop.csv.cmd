hey -m POST -n 200 -c 10 -o csv http://127.0.0.1:8931/drop > drop.csv
# tool: hey 0.1.5
# recorded: 2026-11-22, exit status 0
# 1 in 20 is closed without an answer, and has no row
