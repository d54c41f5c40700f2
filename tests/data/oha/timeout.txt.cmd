oha --no-tui --no-color -n 60 -c 10 -t 300ms http://127.0.0.1:8931/stall > timeout.txt
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# 1 in 20 is never answered, and given up after 300 ms
