wrk -t1 -c4 -d5s --timeout 4s --latency 'http://127.0.0.1:8931/slow?ms=1200&every=1' > seconds.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# every answer takes 1.2 s: latencies in s
