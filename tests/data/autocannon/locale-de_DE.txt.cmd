LC_ALL=de_DE.UTF-8 autocannon -c 10 -d 2 http://127.0.0.1:8931/ok > locale-de_DE.txt 2>&1
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# de_DE locale: Req/Sec cells in its notation, Latency and Bytes cells not
