httperf --hog --server=127.0.0.1 --port=8937 '--uri=/drop?every=20' --rate=100 --num-conns=100 --timeout=1 > drop.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: 100 requests, on 5 the connection is closed
