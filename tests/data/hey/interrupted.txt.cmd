timeout -s INT 1 hey -n 1000000 -c 4 'http://127.0.0.1:8931/slow?ms=5' > interrupted.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 124
# stopped after 1 s
