hey -n 5 -c 1 http://127.0.0.1:8931/ok > 5.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# too few for most percentiles: 0% in 0.0000 secs
