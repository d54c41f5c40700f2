rm -f tab.jtl; jmeter -n -t plan.jmx -l tab.jtl -j /dev/null '-Jjmeter.save.saveservice.default_delimiter=\t' '-Jjmeter.save.saveservice.timestamp_format=yyyy-MM-dd HH:mm:ss' > /dev/null 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# tabs; times in whole seconds
