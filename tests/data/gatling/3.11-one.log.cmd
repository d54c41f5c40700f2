rm -rf /tmp/results; JAVA_OPTS='-Dusers=1' gatling -s BasicSim -rf /tmp/results > 3.11-one.txt 2>&1; cp /tmp/results/*/simulation.log 3.11-one.log; cp /tmp/results/*/js/stats.js 3.11-one.stats.js
# tool: Gatling 3.11.5 (Maven Central)
# recorded: 2026-11-22, exit status 0
# one user, two requests
