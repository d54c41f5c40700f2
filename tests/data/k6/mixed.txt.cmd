k6 run --quiet --no-color -u 4 -i 200 - > mixed.txt <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8931/mixed'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# 1 in 10 is a 500, 1 in 10 a 404
