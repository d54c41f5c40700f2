hey -n 300 -c 8 'http://127.0.0.1:8931/mixed' > 0.1.5.txt
# tool: hey 0.1.5
# recorded: 2026-11-22, exit status 0
# prints percentages with two signs: 50%% in
