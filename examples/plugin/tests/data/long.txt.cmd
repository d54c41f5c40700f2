httperf --hog --server=127.0.0.1 --port=8937 '--uri=/slow?ms=20' --rate=100 --num-conns=700 > long.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: over five seconds: a sample of the reply rate
