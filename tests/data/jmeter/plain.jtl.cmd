rm -f plain.jtl; jmeter -n -t plan.jmx -l plain.jtl -j /dev/null > plain.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# 160 requests of 4 threads; 16 are answered with 404 or 500
