artillery quick --count 1 --num 1 --output one.json http://127.0.0.1:8931/ok > one.txt 2>&1
# tool: artillery 2.0.34 (node 20.20.2)
# recorded: 2026-11-22
# one request
