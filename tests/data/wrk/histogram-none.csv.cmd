BK_WRK_HISTOGRAM=histogram-none.csv wrk -t2 -c8 -d2s --timeout 1s --latency -s ../../../benchkit/scenarios/tools/wrk.lua 'http://127.0.0.1:8931/slow?ms=1300&every=1' > histogram-none.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# every answer comes after the timeout: no sample at all
