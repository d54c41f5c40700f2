hey -n 1040000 -c 8 http://127.0.0.1:8931/tiny > million.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# more responses than hey keeps: statuses and percentiles are of the first million, the average is too large
