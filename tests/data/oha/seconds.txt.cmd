oha --no-tui --no-color -u s -n 100 -c 4 'http://127.0.0.1:8931/slow?ms=5' > seconds.txt
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# times in seconds as asked for
