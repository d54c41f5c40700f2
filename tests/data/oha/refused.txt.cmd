oha --no-tui --no-color -n 20 -c 4 http://127.0.0.1:8999/ > refused.txt
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# nothing listens there
