wrk -t1 -c4 -d2s http://127.0.0.1:8931/redirect > redirect.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# every answer a 301: not counted as Non-2xx or 3xx
