wrk -t2 -c10 -d2s --latency http://127.0.0.1:8931/reset?every=20 > reset.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# 1 connection in 20 is reset: read errors
