httperf --hog --server=127.0.0.1 --port=8937 '--uri=/stall?every=20' --rate=100 --num-conns=100 --timeout=0.5 > stall.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: 100 requests, 5 of them never answered
