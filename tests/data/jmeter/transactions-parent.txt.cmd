rm -f transactions-parent.jtl; jmeter -n -t transactions.jmx -Jparent=true -l transactions-parent.jtl -j /dev/null > transactions-parent.txt 2>&1
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# transactions as parents of their requests
