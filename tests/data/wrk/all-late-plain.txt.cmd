wrk -t2 -c4 -d4s --timeout 1s 'http://127.0.0.1:8931/slow?ms=1500&every=1' > all-late-plain.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# every answer comes after the timeout, without --latency
