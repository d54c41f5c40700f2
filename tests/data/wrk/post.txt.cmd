wrk -t2 -c10 -d2s --latency -s post.lua http://127.0.0.1:8931/echo > post.txt
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# POST with a body from a Lua script; every answer 201
