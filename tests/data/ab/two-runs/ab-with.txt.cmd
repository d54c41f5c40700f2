(cd two-runs && ab -k -n 1000 -c 20 -e pct-with.csv 'http://127.0.0.1:8931/slow?ms=5&every=1' > ab-with.txt)
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# two different runs in one folder: the faster one (5 ms)
