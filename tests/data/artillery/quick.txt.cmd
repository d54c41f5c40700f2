artillery quick --count 4 --num 25 http://127.0.0.1:8931/slow?ms=5 > quick.txt 2>&1
# tool: artillery 2.0.34 (node 20.20.2)
# recorded: 2026-11-22
# 4 users of 25 requests each
