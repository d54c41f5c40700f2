rm -rf /tmp/results; JAVA_OPTS='-Dclosed=true -Dusers=4' gatling -s BasicSim -rf /tmp/results > 3.15-many.txt 2>&1
# tool: Gatling 3.15.0 (Maven Central)
# recorded: 2026-11-22, exit status 2
# thousands
