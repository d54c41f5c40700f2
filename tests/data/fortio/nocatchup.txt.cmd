fortio load -c 2 -qps 200 -t 1s -uniform -jitter -nocatchup -json nocatchup.json 'http://127.0.0.1:8931/slow?ms=20' 2> nocatchup.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# a server that is too slow; requests are left out
