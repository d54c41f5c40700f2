for c in 1 2 4; do autocannon -j -n -c $c -d 1 http://127.0.0.1:8931/ok; done > runs.jsonl
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# three runs one after another: JSON lines
