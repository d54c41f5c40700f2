rm -f /tmp/long.jtl; jmeter -n -t plan.jmx -Jpath='/slow?ms=60' -Jloops=120 -l /tmp/long.jtl -j /dev/null -Jsummariser.interval=6 > long.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# several lines with + and =
