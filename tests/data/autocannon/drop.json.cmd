autocannon -j -c 10 -d 2 http://127.0.0.1:8931/drop?every=20 > drop.json
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# 1 connection in 20 is closed without an answer: neither an error nor a reset is counted, but sent exceeds total
