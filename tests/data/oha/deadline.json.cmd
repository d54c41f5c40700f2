oha --no-tui --no-color -z 1s -c 4 --output-format json 'http://127.0.0.1:8931/slow?ms=15' > deadline.json
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# 4 requests are aborted at the end
