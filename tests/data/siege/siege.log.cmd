siege -b -q -c 2 -r 100 --no-parser --log=siege.log --mark=first http://127.0.0.1:8931/ok > log.json; siege -b -q -c 4 -r 50 --no-parser --log=siege.log 'http://127.0.0.1:8931/slow?ms=20' >> log.json
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# a line per run, with a mark above the first
