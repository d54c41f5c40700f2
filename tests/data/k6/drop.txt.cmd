k6 run --quiet --no-color -u 4 -i 200 --no-connection-reuse - > drop.txt 2> /dev/null <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8931/drop?every=20'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# 1 connection in 20 is closed without an answer
