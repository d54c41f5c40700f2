ab -r -n 500 -c 5 http://127.0.0.1:8931/drop?every=20 > drop-r.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# 1 connection in 20 is closed without an answer: complete, and a length failure
