fortio load -c 2 -qps 50 -t 1s -allow-initial-errors -log-errors=false -json refused.json http://127.0.0.1:8999/ 2> refused.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# nothing listens
