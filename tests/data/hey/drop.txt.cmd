hey -n 400 -c 4 -disable-keepalive 'http://127.0.0.1:8931/drop?every=20' > drop.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# 1 connection in 20 is closed without an answer
