k6 run --no-color --summary-mode=legacy - > legacy.txt 2>&1 <<'EOF'
import http from 'k6/http';
import { check, group } from 'k6';
import { Trend } from 'k6/metrics';
const own = new Trend('own_trend', true);
export const options = {
  scenarios: {
    closed: { executor: 'constant-vus', vus: 2, duration: '1s', exec: 'fast' },
    open: { executor: 'constant-arrival-rate', rate: 50, duration: '1s', preAllocatedVUs: 5, exec: 'slow' },
  },
  summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(90)', 'p(95)', 'p(99)', 'count'],
  thresholds: {
    http_req_duration: ['p(95)<500', 'p(99.9)<1'],
    'http_req_duration{scenario:open}': ['med<200'],
    http_req_failed: ['rate<0.5'],
  },
};
export function fast() { http.get('http://127.0.0.1:8931/ok'); }
export function slow() {
  group('mixed', () => {
    const answer = http.get('http://127.0.0.1:8931/mixed');
    own.add(answer.timings.waiting);
    check(answer, { 'is 200': (r) => r.status === 200 });
  });
}
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 99
# the form before 0.58, with the scenarios above; one threshold is crossed
