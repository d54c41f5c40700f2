autocannon -w 2 -c 10 -d 2 http://127.0.0.1:8931/ok > table-workers.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# two workers: samples count each
