wrk2 -t2 -c10 -d12s -R200 http://127.0.0.1:8931/ok > plain.txt
# tool: wrk2, built from source at commit 44a94c1 (it prints no version)
# recorded: 2026-11-20, exit status 0
# without --latency
