cat > test.yml <<'EOF'
config:
  target: http://127.0.0.1:8999
  phases:
    - duration: 1
      arrivalRate: 20

scenarios:
  - flow:
      - get:
          url: /ok
EOF
artillery run --output refused.json test.yml > refused.txt 2>&1
rm test.yml
# tool: artillery 2.0.34 (node 20.20.2)
# recorded: 2026-11-22
# nothing listens
