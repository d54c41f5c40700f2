ab -n 100 -c 2 -H 'Authorization: Bearer fixture-bearer-token' 'http://127.0.0.1:8931/cookie?token=fixture-token' > secrets.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# an invented token in the URL and so in Document Path
