k6 run --quiet --no-color -u 2 -i 20 - > refused.txt 2> /dev/null <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8999/'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# nothing listens: every latency is 0
