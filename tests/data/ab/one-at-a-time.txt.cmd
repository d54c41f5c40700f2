ab -n 200 -c 1 'http://127.0.0.1:8931/slow?ms=5&every=1' > one-at-a-time.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# concurrency 1, every answer takes 5 ms
