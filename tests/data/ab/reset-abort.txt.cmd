ab -n 500 -c 5 http://127.0.0.1:8931/reset?every=100 > reset-abort.txt 2>&1
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 104
# a reset connection without -r ends ab: no report, only the count
