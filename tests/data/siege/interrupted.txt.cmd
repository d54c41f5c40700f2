timeout -s INT 1 siege -b -c 2 -t 30S --no-parser 'http://127.0.0.1:8931/slow?ms=5' > interrupted.txt 2>&1
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 124
# stopped after 1 s
