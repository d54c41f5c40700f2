wrk -t2 -c10 -d2s --latency http://127.0.0.1:8931/mixed > non2xx.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# 1 in 10 a 500, 1 in 10 a 404
