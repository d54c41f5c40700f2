timeout -s INT 2 k6 run --no-color -u 2 -d 30s - > aborted.txt 2>&1 <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8931/slow?ms=5'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 124
# interrupted twice: no summary
