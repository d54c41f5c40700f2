fortio load -quiet -c 2 -qps 100 -t 1s -stdclient -L -timeout 2s -keepalive=false -user name:not-a-real-password -H 'X-A: b' -payload hello -json post.json http://127.0.0.1:8931/echo 2> post.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# the other client, a body, a credential
