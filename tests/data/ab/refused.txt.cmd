ab -n 100 -c 5 http://127.0.0.1:8999/ > refused.txt 2>&1
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 111
# nothing listens there: no report
