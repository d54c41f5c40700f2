oha --no-tui --no-color -n 2000 -c 8 http://127.0.0.1:8931/ok > plain.txt
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# all answered
