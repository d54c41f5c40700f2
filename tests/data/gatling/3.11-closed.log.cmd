rm -rf /tmp/results; JAVA_OPTS='-Dclosed=true -Dusers=2' gatling -s BasicSim -rf /tmp/results -nr > 3.11-closed.txt 2>&1; cp /tmp/results/*/simulation.log 3.11-closed.log; tail -c 20000 3.11-closed.log > /dev/null
# tool: Gatling 3.11.5 (Maven Central)
# recorded: 2026-11-22, exit status 0
# a closed workload; no reports
