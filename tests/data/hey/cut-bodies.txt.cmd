hey -n 100 -c 4 'http://127.0.0.1:8931/cut?every=20' > cut-bodies.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# 1 body in 20 breaks off after 10 of 100 bytes: counted as answered, with 100
