hey -n 100 -c 4 -m HEAD http://127.0.0.1:8931/ok > head.txt
# tool: hey 0.1.4 (debian 0.1.4-2+b4)
# recorded: 2026-11-22, exit status 0
# no bodies, but the lengths announced are summed up
