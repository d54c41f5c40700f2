wrk -t1 -c2 -d61s --latency 'http://127.0.0.1:8931/slow?ms=10&every=1' > one-minute.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# a run of 61 s: the first line says 1m
