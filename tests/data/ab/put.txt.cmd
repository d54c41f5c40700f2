ab -n 200 -c 4 -u post-body.json -T application/json http://127.0.0.1:8931/echo > put.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# PUT with a body, no keep-alive
