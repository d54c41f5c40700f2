autocannon --no-verbose -c 4 -d 2 http://127.0.0.1:8931/ok > no-verbose.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# --no-verbose: the summary lines only
