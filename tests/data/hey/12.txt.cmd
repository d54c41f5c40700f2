hey -n 12 -c 2 'http://127.0.0.1:8931/slow?ms=5' > 12.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# no 95th percentile, and the 99th neither
