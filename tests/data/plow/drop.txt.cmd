plow -c 4 -n 200 --listen= --summary -m POST -b x 'http://127.0.0.1:8931/drop?every=20' > drop.txt
# tool: plow 1.4.0
# recorded: 2026-11-22, exit status 0
# 1 in 20 is not answered; a POST is not repeated
