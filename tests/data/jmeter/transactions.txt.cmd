rm -f transactions.jtl; jmeter -n -t transactions.jmx -l transactions.jtl -j /dev/null > transactions.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# rows of transactions beside their requests; assertions that fail, with quotes and line breaks in their messages
