siege -R text.rc -b -c 2 -r 10 --no-parser http://127.0.0.1:8999/ > text-refused.txt 2>&1
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# nothing listens
