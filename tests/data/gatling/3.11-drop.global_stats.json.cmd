rm -rf /tmp/results; JAVA_OPTS='-Dpath=/drop?every=5 -Dusers=40' gatling -s BasicSim -rf /tmp/results > 3.11-drop.txt 2>&1; cp /tmp/results/*/simulation.log 3.11-drop.log; cp /tmp/results/*/js/global_stats.json 3.11-drop.global_stats.json
# tool: Gatling 3.11.5 (Maven Central)
# recorded: 2026-11-22, exit status 0
# one connection in five of the first request is closed without an answer
