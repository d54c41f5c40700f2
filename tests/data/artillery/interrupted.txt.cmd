cat > test.yml <<'EOF'
config:
  target: http://127.0.0.1:8931
  phases:
    - duration: 60
      arrivalRate: 20

scenarios:
  - flow:
      - get:
          url: /slow?ms=5
EOF
timeout --foreground -s INT 8 artillery run test.yml > interrupted.txt 2>&1
rm test.yml
# tool: artillery 2.0.34 (node 20.20.2)
# recorded: 2026-11-22
# stopped after some seconds
