oha --no-tui --no-color -n 200 -c 10 http://127.0.0.1:8931/drop > drop.txt
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# 1 in 20 is closed without an answer
