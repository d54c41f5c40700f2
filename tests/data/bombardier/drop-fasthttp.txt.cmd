bombardier -c 4 -n 200 -l -p i,r 'http://127.0.0.1:8931/drop?every=20' > drop-fasthttp.txt
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# the same; the default client sends those again
