wrk2 -t2 -c10 -d15s -R200 --latency http://127.0.0.1:8931/ok > latency.txt
# tool: wrk2, built from source at commit 44a94c1 (it prints no version)
# recorded: 2026-11-20, exit status 0
# with --latency: histogram and spectrum; the first 10 s are calibration
