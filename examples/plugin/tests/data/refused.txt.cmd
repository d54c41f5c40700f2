httperf --hog --server=127.0.0.1 --port=8999 --uri=/ok --rate=100 --num-conns=10 > refused.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: nothing listens: no request is sent
