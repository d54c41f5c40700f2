k6 run --quiet --no-color -u 2 -i 200 - > quiet.txt <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8931/ok'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# the summary alone
