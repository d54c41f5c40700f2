hey -n 20 -c 4 -o csv http://127.0.0.1:8999/ > refused.csv
# tool: hey 0.1.5
# recorded: 2026-11-22, exit status 0
# nothing listens there: a header alone
