rewrk -c 4 -t 1 -d 1s -h 'http://127.0.0.1:8931/drop?every=20' > drop.txt
# tool: rewrk 0.3.2
# recorded: 2026-11-22, exit status 0
# 1 in 20 is not answered
