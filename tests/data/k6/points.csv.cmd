K6_CSV_TIME_FORMAT=rfc3339_nano k6 run --quiet --no-color --out json=points.json --out csv=points.csv - > /dev/null 2>&1 <<'EOF'
import http from 'k6/http';
export const options = { scenarios: {
  closed: { executor: 'shared-iterations', vus: 2, iterations: 40 },
  open: { executor: 'constant-arrival-rate', rate: 20, duration: '1s', preAllocatedVUs: 5, exec: 'slow' },
} };
export default function () { http.get('http://127.0.0.1:8931/mixed', { tags: { name: 'mixed, and "more"' } }); }
export function slow() {
  http.get('http://127.0.0.1:8931/drop?every=10');
  if (__ITER === 1) http.get('http://127.0.0.1:8999/', { tags: { extra: 'yes' } });
}
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# two scenarios; 1 in 10 is a 500, 1 in 10 a 404; 1 connection in 10 is closed without an answer, which is asked for again; five are refused
