k6 run --no-color --vus 2 --duration 2s --summary-export=same-run.json - > same-run.txt 2> /dev/null <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8931/'); }
EOF
# tool: k6 1.3.0
# recorded: 2026-11-29, exit status 0
