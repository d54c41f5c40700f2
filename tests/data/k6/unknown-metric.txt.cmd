k6 run --quiet --no-color - > unknown-metric.txt 2>&1 <<'EOF'
export const options = { thresholds: { no_such_metric: ['p(95)<1'] } };
export default function () {}
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 104
# refused to start: no such metric
