hey -n 1000 -c 10 -disable-keepalive http://127.0.0.1:8931/ok > no-keepalive.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# a connection for each request
