ab -t 2 -n 100000000 -c 4 'http://127.0.0.1:8931/slow?ms=10&every=1' > timed.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# -t 2: ends by time
