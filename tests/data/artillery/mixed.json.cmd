cat > test.yml <<'EOF'
config:
  target: http://127.0.0.1:8931
  phases:
    - duration: 2
      arrivalRate: 15
      name: steady
  plugins:
    metrics-by-endpoint: {}
    ensure: {}
  ensure:
    thresholds:
      - http.response_time.p99: 500
    conditions:
      - expression: http.codes.500 < 1
scenarios:
  - name: browse
    flow:
      - get:
          url: /mixed
      - get:
          url: /redirect
EOF
artillery run --output mixed.json test.yml > mixed.txt 2>&1
rm test.yml
# tool: artillery 2.0.34 (node 20.20.2)
# recorded: 2026-11-22
# 1 in 10 is a 500, 1 in 10 a 404; each second request is redirected; names by endpoint; one check fails
