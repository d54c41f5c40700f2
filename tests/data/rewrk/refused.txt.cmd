rewrk -c 2 -t 1 -d 1s -h http://127.0.0.1:8999/ > refused.txt 2>&1
# tool: rewrk 0.3.2
# recorded: 2026-11-22, exit status 0
# nothing listens: no result
