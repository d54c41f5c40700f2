ab -s 1 -n 300 -c 5 http://127.0.0.1:8931/stall?every=200 > timeout-abort.txt 2>&1
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 119
# an answer that never comes and -s 1: ab gives up without a report, only the count
