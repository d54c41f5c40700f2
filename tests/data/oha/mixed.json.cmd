oha --no-tui --no-color -n 500 -c 10 --output-format json http://127.0.0.1:8931/mixed > mixed.json
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# 1 in 10 is a 500, 1 in 10 a 404
