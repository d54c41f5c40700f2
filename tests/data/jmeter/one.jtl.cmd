rm -f one.jtl; jmeter -n -t plan.jmx -Jthreads=1 -Jloops=1 -l one.jtl -j /dev/null > one.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# two requests
