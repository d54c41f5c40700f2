rm -rf /tmp/results; JAVA_OPTS='-Dport=8999 -Dusers=10' gatling -s BasicSim -rf /tmp/results > 3.15-refused.txt 2>&1; cp /tmp/results/*/simulation.log 3.15-refused.bin
# tool: Gatling 3.15.0 (Maven Central)
# recorded: 2026-11-22, exit status 0
# nothing listens
