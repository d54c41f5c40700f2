(hey -n 200 -c 4 http://127.0.0.1:8931/ok; hey -n 200 -c 8 http://127.0.0.1:8931/mixed) > two-in-one-file.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# two runs, one after the other
