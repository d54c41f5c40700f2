rm -f stall.jtl; jmeter -n -t plan.jmx -Jpath='/stall?every=10' -Jtimeout=300 -Jloops=15 -l stall.jtl -j /dev/null > stall.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# one request in ten of the first sampler is never answered: SocketTimeoutException after 300 ms
