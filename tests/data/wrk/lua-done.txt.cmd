wrk -t2 -c10 -d2s --latency -s summary.lua http://127.0.0.1:8931/ok > lua-done.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# a Lua done() prints lines after the report
