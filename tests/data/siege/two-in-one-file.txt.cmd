(siege -b -q -c 2 -r 100 --no-parser http://127.0.0.1:8931/ok; siege -b -q -c 4 -r 50 --no-parser 'http://127.0.0.1:8931/slow?ms=20') > two-in-one-file.txt 2>&1
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# two runs, one after the other
