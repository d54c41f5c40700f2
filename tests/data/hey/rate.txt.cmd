hey -z 2s -c 2 -q 50 http://127.0.0.1:8931/ok > rate.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# 2 workers at 50 a second each
