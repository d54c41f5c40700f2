cat > test.yml <<'EOF'
config: {target: [
EOF
artillery run test.yml > broken.txt 2>&1
rm test.yml
# tool: artillery 2.0.34 (node 20.20.2)
# recorded: 2026-11-22
# refused to start: the script is broken
