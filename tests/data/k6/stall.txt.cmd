k6 run --quiet --no-color -u 4 -i 60 - > stall.txt 2> /dev/null <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8931/stall?every=20', { timeout: '300ms' }); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# 1 in 20 is never answered and timed out after 300 ms
