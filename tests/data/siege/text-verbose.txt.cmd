siege -R text.rc -v -b -c 2 -r 20 --no-parser http://127.0.0.1:8931/mixed > text-verbose.txt 2>&1
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# with a line per request
