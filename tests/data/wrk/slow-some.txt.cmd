wrk -t2 -c10 -d3s --latency 'http://127.0.0.1:8931/slow?ms=200&every=50' > slow-some.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# 1 answer in 50 takes 200 ms: units mixed, back-filled by wrk
