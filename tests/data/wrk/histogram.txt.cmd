BK_WRK_STEPS=64 BK_WRK_HISTOGRAM=histogram.csv wrk -t2 -c8 -d2s --latency -s ../../../benchkit/scenarios/tools/wrk.lua 'http://127.0.0.1:8931/slow?ms=20&every=20' > histogram.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# 1 request in 20 waits 20 ms: most samples are added ones
