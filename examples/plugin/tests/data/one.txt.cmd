httperf --hog --server=127.0.0.1 --port=8937 --uri=/ok --num-conns=1 > one.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: one request
