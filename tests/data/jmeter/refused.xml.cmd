rm -f refused.xml; jmeter -n -t plan.jmx -Jport=8999 -Jloops=3 -l refused.xml -j /dev/null -Jjmeter.save.saveservice.output_format=xml > /dev/null 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# nothing listens
