wrk2 -t1 -c1 -d70s -R2000 --latency 'http://127.0.0.1:8931/slow?ms=20&every=1' > overload.txt
# tool: wrk2, built from source at commit 44a94c1 (it prints no version)
# recorded: 2026-11-20, exit status 0
# 50 answers per second at best, 2000 asked for: latencies in minutes
