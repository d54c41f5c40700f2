autocannon -j -m POST -H 'Content-Type: application/json' -b '{"name": "fixture"}' -c 10 -d 2 http://127.0.0.1:8931/echo > post.json 2> post.txt
# tool: autocannon 9.0.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# POST with a body; every answer 201
# stderr (post.txt) stayed empty and is not kept: from version 8 on -j leaves the table out
