hey -n 100 -c 4 -m POST -d 'hello there' http://127.0.0.1:8931/echo > post.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# every answer a 201
