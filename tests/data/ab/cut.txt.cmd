ab -r -n 500 -c 5 http://127.0.0.1:8931/cut?every=20 > cut.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# 1 answer in 20 promises 100 bytes and sends 10
