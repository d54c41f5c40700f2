k6 run --no-color - > dropped.txt 2>&1 <<'EOF'
import http from 'k6/http';
export const options = { scenarios: { open: {
  executor: 'constant-arrival-rate', rate: 200, duration: '1s', preAllocatedVUs: 2,
} } };
export default function () { http.get('http://127.0.0.1:8931/slow?ms=20'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# 200 a second with two VUs that take 20 ms each: half of the iterations are dropped
