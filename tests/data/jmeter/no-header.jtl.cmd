rm -f no-header.jtl; jmeter -n -t plan.jmx -l no-header.jtl -j /dev/null -Jjmeter.save.saveservice.print_field_names=false > /dev/null 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# the columns of 5.x without their names
