rm -rf /tmp/results; JAVA_OPTS='-Dpath=/slow?ms=900 -Dusers=400' timeout -s KILL 6.5 gatling -s BasicSim -rf /tmp/results > 3.11-killed.txt 2>&1; cp /tmp/results/*/simulation.log 3.11-killed.log
# tool: Gatling 3.11.5 (Maven Central)
# recorded: 2026-11-22, exit status 1
# killed: no end of the log
