timeout --signal=INT 2 ab -n 2000 -c 4 'http://127.0.0.1:8931/slow?ms=10&every=1' > interrupted.txt 2>&1
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 124
# SIGINT after 2 s: progress lines, then the report of what was done, no Finished line
