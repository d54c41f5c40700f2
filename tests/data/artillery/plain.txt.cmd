cat > test.yml <<'EOF'
config:
  target: http://127.0.0.1:8931
  phases:
    - duration: 1
      arrivalRate: 20

scenarios:
  - flow:
      - get:
          url: /ok
EOF
artillery run --output plain.json test.yml > plain.txt 2>&1
rm test.yml
# tool: artillery 2.0.34 (node 20.20.2)
# recorded: 2026-11-22
# nothing goes wrong
