{ wrk -t1 -c4 -d1s --latency http://127.0.0.1:8931/ok; wrk -t1 -c4 -d1s http://127.0.0.1:8931/ok; } > two-in-one-file.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# two runs in one file
