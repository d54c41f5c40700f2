wrk -t2 -c10 -d4s --timeout 1s --latency 'http://127.0.0.1:8931/slow?ms=1500&every=3' > timeouts.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# 1 answer in 3 comes after the timeout
