rm -f redirect.jtl; jmeter -n -t plan.jmx -Jpath=/redirect -l redirect.jtl -j /dev/null > redirect.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# each followed redirect is three rows: the sum and its two parts
