k6 run --quiet --no-color -i 20 --summary-export=export-refused.json - > /dev/null 2>&1 <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8999/'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# nothing listens: every latency is 0
