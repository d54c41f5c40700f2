h2load --h1 -t 2 -n 200 -c 10 --log-file=drop.tsv http://127.0.0.1:8931/drop > /dev/null
# tool: h2load nghttp2/1.52.0 (debian)
# recorded: 2026-11-22, exit status 0
# a status of -1: no answer
