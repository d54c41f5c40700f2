rm -rf /tmp/results; JAVA_OPTS='-Dusers=40' gatling -s BasicSim -rf /tmp/results -nr > 3.15-no-reports.txt 2>&1
# tool: Gatling 3.15.0 (Maven Central)
# recorded: 2026-11-22, exit status 2
# no reports: only counts
