hey -n 500 -c 10 http://127.0.0.1:8931/mixed > mixed.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# 1 in 10 is a 500, 1 in 10 a 404
