rm -f transactions.xml; jmeter -n -t transactions.jmx -l transactions.xml -j /dev/null -Jjmeter.save.saveservice.output_format=xml > /dev/null 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# transactions are <sample>, requests <httpSample>; assertion results
