K6_CSV_TIME_FORMAT=unix_milli k6 run --quiet --no-color -u 4 -i 40 --out csv=points-stall.csv - > /dev/null 2>&1 <<'EOF'
import http from 'k6/http';
export default function () { http.get('http://127.0.0.1:8931/stall?every=10', { timeout: '200ms' }); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# 1 in 10 is timed out after 200 ms; times in ms
