rm -f refused.jtl; jmeter -n -t plan.jmx -Jport=8999 -Jloops=3 -l refused.jtl -j /dev/null > refused.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# nothing listens
