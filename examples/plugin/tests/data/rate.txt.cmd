httperf --hog --server=127.0.0.1 --port=8937 --uri=/ok --rate=100 --num-conns=200 > rate.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: 200 requests, one per connection
