rewrk -c 2 -t 1 -d 1s --iterations 2 -h http://127.0.0.1:8931/ok > usage.txt 2>&1
# tool: rewrk 0.3.2
# recorded: 2026-11-22, exit status 1
# an option that there is not: no result
