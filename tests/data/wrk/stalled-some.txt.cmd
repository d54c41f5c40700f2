wrk -t1 -c4 -d3s --timeout 1s --latency http://127.0.0.1:8931/stall?every=5000 > stalled-some.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# connections fall silent one by one until none is left: not reported as timeouts
