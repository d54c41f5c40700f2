autocannon -j -n -c 4 -d 2 http://127.0.0.1:8931/ok > quiet.json
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# JSON, -n
