rm -rf /tmp/results; JAVA_OPTS='-Dport=8999 -Dusers=10' gatling -s BasicSim -rf /tmp/results > 3.11-refused.txt 2>&1; cp /tmp/results/*/simulation.log 3.11-refused.log; cp /tmp/results/*/js/global_stats.json 3.11-refused.global_stats.json
# tool: Gatling 3.11.5 (Maven Central)
# recorded: 2026-11-22, exit status 0
# nothing listens
