{ ab -q -k -n 400 -c 4 http://127.0.0.1:8931/ok; ab -q -n 400 -c 4 http://127.0.0.1:8931/ok; } > two-in-one-file.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# two runs in one file: with and without keep-alive
