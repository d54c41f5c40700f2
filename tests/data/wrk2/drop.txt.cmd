wrk2 -t2 -c10 -d3s -R200 --latency http://127.0.0.1:8931/drop?every=10 > drop.txt
# tool: wrk2, built from source at commit 44a94c1 (it prints no version)
# recorded: 2026-11-20, exit status 0
# 1 connection in 10 is closed without an answer, which wrk2 counts as timeouts
