wrk2 -t1 -c2 -d5s -R10 --latency http://127.0.0.1:8931/stall?every=1 > stalled.txt
# tool: wrk2, built from source at commit 44a94c1 (it prints no version)
# recorded: 2026-11-20, exit status 0
# no request is ever answered: nan in both rows
