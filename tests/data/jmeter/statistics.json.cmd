rm -rf dashboard.jtl /tmp/dashboard; jmeter -n -t plan.jmx -Jpath=/redirect -l dashboard.jtl -j /dev/null -e -o /tmp/dashboard > /dev/null 2>&1; cp /tmp/dashboard/statistics.json .
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# the dashboard counts the parts of redirects as samples of their own
