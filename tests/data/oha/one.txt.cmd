oha --no-tui --no-color -n 1 -c 1 http://127.0.0.1:8931/ok > one.txt
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# a single request
