bombardier -c 4 -d 1s -r 200 -l -o json -p i,r -H 'Authorization: Bearer not-a-real-token' -m POST -b hello http://127.0.0.1:8931/echo > intro.json
# tool: bombardier 2.0.2
# recorded: 2026-11-22, exit status 0
# a line in front; a credential in it; a rate
