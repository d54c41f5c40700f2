k6 run --quiet --no-color -u 1 -i 20 - > redirect.txt <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8931/redirect'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# each request is redirected: two in each iteration
