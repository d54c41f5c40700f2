httperf --hog --server=127.0.0.1 --port=8937 '--uri=/size?n=300000' --rate=20 --num-conns=20 > large.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: replies that take a while to transfer
