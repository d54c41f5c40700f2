autocannon -j -H 'Authorization: Bearer fixture-bearer-token' -c 2 -d 1 'http://127.0.0.1:8931/cookie?token=fixture-token' > secrets.json 2> secrets.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# an invented token in the URL
# stderr (secrets.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
