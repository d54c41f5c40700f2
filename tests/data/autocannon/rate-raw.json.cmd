autocannon -j -l -C -R 200 -c 10 -d 3 'http://127.0.0.1:8931/slow?ms=100&every=20' > rate-raw.json 2> rate-raw.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# -R 200 with -C: not back-filled
# stderr (rate-raw.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
