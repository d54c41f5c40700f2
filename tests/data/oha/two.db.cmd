oha --no-tui --no-color -n 200 -c 8 --output-format quiet --db-url two.db http://127.0.0.1:8931/mixed && sleep 1 && oha --no-tui --no-color -n 60 -c 2 -q 200 --latency-correction --output-format quiet --db-url two.db 'http://127.0.0.1:8931/slow?ms=5'
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# two runs, the second with latencies from when each was due
