oha --no-tui --no-color -n 100 -c 4 -q 200 --latency-correction 'http://127.0.0.1:8931/slow?ms=5' > rate.txt
# tool: oha 1.16.0
# recorded: 2026-11-22, exit status 0
# latencies from when each was due
