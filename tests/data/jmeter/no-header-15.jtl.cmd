rm -f no-header-15.jtl; jmeter -n -t plan.jmx -l no-header-15.jtl -j /dev/null -Jjmeter.save.saveservice.print_field_names=false -Jjmeter.save.saveservice.connect_time=false -Jjmeter.save.saveservice.idle_time=false > /dev/null 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# no names, and no columns IdleTime and Connect
