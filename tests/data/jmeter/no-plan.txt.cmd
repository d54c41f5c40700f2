jmeter -n -t missing.jmx -l /tmp/none.jtl -j /dev/null > no-plan.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 1
# no such plan
