httperf --hog --server=127.0.0.1 --port=8937 --uri=/mixed --rate=100 --num-conns=100 --num-calls=2 --timeout=1 > mixed.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: 200 requests, one in five an error
