siege -R text.rc -b -c 4 -r 50 --no-parser http://127.0.0.1:8931/mixed > text-mixed.txt 2>&1
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# 1 in 10 is a 500, which fails, 1 in 10 a 404
