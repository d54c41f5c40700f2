wrk -t3 -c10 -d2s --latency 'http://127.0.0.1:8931/slow?ms=5&every=1' > uneven.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# 10 connections asked for on 3 threads: wrk opens 9
