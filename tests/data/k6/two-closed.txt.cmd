k6 run --no-color - > two-closed.txt <<'EOF'
import http from 'k6/http';
export const options = { scenarios: {
  a: { executor: 'ramping-vus', startVUs: 1, stages: [{ duration: '500ms', target: 3 }] },
  b: { executor: 'per-vu-iterations', vus: 2, iterations: 20 },
} };
export default function () { http.get('http://127.0.0.1:8931/slow?ms=5'); }
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# two scenarios, both closed
