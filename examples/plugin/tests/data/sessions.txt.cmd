httperf --hog --server=127.0.0.1 --port=8937 --wsess=5,3,0.01 --rate=10 --uri=/ok > sessions.txt 2> /dev/null
# httperf 0.9.0, 2026-11-22, exit 0: sessions: five more lines below
