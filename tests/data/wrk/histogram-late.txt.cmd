BK_WRK_HISTOGRAM=histogram-late.csv wrk -t2 -c8 -d4s --timeout 1s --latency -s ../../../benchkit/scenarios/tools/wrk.lua 'http://127.0.0.1:8931/slow?ms=1300&every=40' > histogram-late.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# 1 request in 40 comes after the timeout: no sample of these
