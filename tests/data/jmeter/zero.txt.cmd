rm -f zero.jtl; jmeter -n -t plan.jmx -Jthreads=0 -l zero.jtl -j /dev/null > zero.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# no thread, no request
