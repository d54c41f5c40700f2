wrk2 -t1 -c2 -d13s -R100 -U 'http://127.0.0.1:8931/slow?ms=40&every=10' > uncorrected.txt
# tool: wrk2, built from source at commit 44a94c1 (it prints no version)
# recorded: 2026-11-20, exit status 0
# -U: a second distribution, from the sending
