httperf --hog --server=127.0.0.1 --port=8937 --uri=/ok --num-conns=50 --num-calls=10 > calls.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: 500 requests over 50 connections, one after the other
