hey -n 20 -c 4 http://127.0.0.1:8999/ > refused.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# nothing listens there: no answer, no histogram
