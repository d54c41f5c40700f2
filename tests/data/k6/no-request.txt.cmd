k6 run --quiet --no-color -i 3 - > no-request.txt <<'EOF'
export default function () {}
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 0
# no HTTP at all
