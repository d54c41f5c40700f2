ab -k -n 2000 -c 10 http://127.0.0.1:8931/ok > keepalive.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# keep-alive, fixed body, every answer 200; stdout only (progress goes to stderr)
