(ulimit -n 40; wrk -t1 -c60 -d2s --latency http://127.0.0.1:8931/ok > connect-errors.txt)
# tool: wrk 4.1.0 (debian 4.1.0-3+b2, epoll)
# recorded: 2026-11-20, exit status 0
# 60 connections with 40 file descriptors: connect errors
