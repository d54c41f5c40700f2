timeout --signal=INT 2 wrk -t1 -c4 -d10s --latency 'http://127.0.0.1:8931/slow?ms=5&every=1' > interrupted.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 124
# SIGINT after 2 s
