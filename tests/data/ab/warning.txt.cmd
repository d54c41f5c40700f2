ab -n 300 -c 1 'http://127.0.0.1:8931/slow?ms=2&every=5' > warning.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# 1 answer in 5 takes 2 ms: in whole milliseconds mean and median are more than 1 deviation apart
