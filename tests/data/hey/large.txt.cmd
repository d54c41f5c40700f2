hey -n 500 -c 4 'http://127.0.0.1:8931/size?n=60000' > large.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# 60,000-byte bodies
