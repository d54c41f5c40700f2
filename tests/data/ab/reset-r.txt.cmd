ab -r -n 500 -c 5 -e reset-r.csv -g reset-r.tsv http://127.0.0.1:8931/reset?every=20 > reset-r.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# 1 connection in 20 is reset: receive and exceptions failures, one request under several heads
