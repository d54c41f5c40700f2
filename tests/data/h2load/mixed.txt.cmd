h2load --h1 -n 500 -c 10 --log-file=mixed.tsv http://127.0.0.1:8931/mixed > mixed.txt
# tool: h2load nghttp2/1.52.0 (debian)
# recorded: 2026-11-22, exit status 0
# 1 in 10 is a 500, 1 in 10 a 404
