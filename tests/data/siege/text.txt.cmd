siege -R text.rc -b -c 4 -r 100 --no-parser http://127.0.0.1:8931/ok > text.txt 2>&1
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# the report in words, as it was the only one up to 4.0.4
