rm -f redirect.xml; jmeter -n -t plan.jmx -Jpath=/redirect -Jloops=10 -l redirect.xml -j /dev/null -Jjmeter.save.saveservice.output_format=xml > /dev/null 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# parts of redirects are nested
