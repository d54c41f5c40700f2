k6 run --quiet --no-color - > exception.txt 2>&1 <<'EOF'
export default function ( {}
EOF
# tool: k6 1.8.1
# recorded: 2026-11-22, exit status 107
# refused to start: the script is broken
