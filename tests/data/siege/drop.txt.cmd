siege -b -c 2 -r 50 --no-parser 'http://127.0.0.1:8931/drop?every=20' > drop.txt 2>&1
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# 1 in 20 is not answered; JSON and text in one
