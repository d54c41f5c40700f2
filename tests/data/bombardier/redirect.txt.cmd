bombardier -c 2 -n 50 -l -p i,r http://127.0.0.1:8931/redirect > redirect.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# 301, not followed
