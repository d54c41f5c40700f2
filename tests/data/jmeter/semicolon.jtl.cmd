rm -f semicolon.jtl; jmeter -n -t plan.jmx -Jpath=/redirect -l semicolon.jtl -j /dev/null '-Jjmeter.save.saveservice.default_delimiter=;' '-Jjmeter.save.saveservice.timestamp_format=yyyy/MM/dd HH:mm:ss.SSS' > /dev/null 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# another delimiter, local times
