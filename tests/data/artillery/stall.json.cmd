cat > test.yml <<'EOF'
config:
  target: http://127.0.0.1:8931
  phases:
    - duration: 1
      arrivalRate: 20
  http:
    timeout: 1
scenarios:
  - flow:
      - get:
          url: /stall?every=10
EOF
artillery run --output stall.json test.yml > stall.txt 2>&1
rm test.yml
# tool: artillery 2.0.34 (node 20.20.2)
# recorded: 2026-11-22
# 1 in 10 is never answered and timed out after 1 s
