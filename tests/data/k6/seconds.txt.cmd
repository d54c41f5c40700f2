k6 run --quiet --no-color -u 2 -i 40 --summary-time-unit=s - > seconds.txt <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8931/slow?ms=20'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# all times in s with two decimals
