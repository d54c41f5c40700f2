LC_ALL=de_DE.UTF-8 autocannon -c 5 -d 3 'http://127.0.0.1:8931/slow?ms=20&every=1' > locale-de_DE-slow.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# de_DE locale, hundreds of requests per second: a decimal comma
