ab -w -n 300 -c 5 http://127.0.0.1:8931/ok > html.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# -w: HTML tables
