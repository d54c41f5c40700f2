rm -f all-columns.jtl; jmeter -n -t plan.jmx -l all-columns.jtl -j /dev/null -Jjmeter.save.saveservice.hostname=true -Jjmeter.save.saveservice.sample_count=true -Jjmeter.save.saveservice.encoding=true -Jjmeter.save.saveservice.filename=true -Jsample_variables=one,two > /dev/null 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# every column there is, and two variables
