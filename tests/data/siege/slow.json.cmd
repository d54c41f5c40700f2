siege -b -c 4 -r 20 --no-parser 'http://127.0.0.1:8931/slow?ms=25' > slow.json
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# 25 ms
