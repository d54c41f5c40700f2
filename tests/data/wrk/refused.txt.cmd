wrk -t1 -c2 -d2s http://127.0.0.1:8999/ > refused.txt 2>&1
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 1
# nothing listens there: one line, no report
