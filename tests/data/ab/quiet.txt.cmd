ab -q -n 500 -c 5 http://127.0.0.1:8931/ok > quiet.txt 2>&1
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# -q: no progress lines
