ab -k -n 1000 -c 10 -p post-body.json -T application/json http://127.0.0.1:8931/echo > post.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# POST with a body: Total body sent and two more transfer rates; every answer 201
