hey -n 100 -c 4 -t 1 'http://127.0.0.1:8931/stall?every=20' > stall.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# 1 request in 20 is never answered: timeouts after 1 s
