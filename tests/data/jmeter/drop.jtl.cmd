rm -f drop.jtl; jmeter -n -t plan.jmx -Jpath='/cut?every=10' -Jloops=15 -l drop.jtl -j /dev/null > drop.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# one body in ten of the first sampler breaks off
