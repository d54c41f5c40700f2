rm -f few-columns.jtl; jmeter -n -t plan.jmx -l few-columns.jtl -j /dev/null -Jjmeter.save.saveservice.response_code=false -Jjmeter.save.saveservice.thread_name=false -Jjmeter.save.saveservice.url=false -Jjmeter.save.saveservice.successful=false > /dev/null 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# no statuses, no threads
