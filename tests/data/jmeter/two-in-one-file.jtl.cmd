cat one.jtl plain.jtl > two-in-one-file.jtl
# tool: Apache JMeter 5.6.3 (Maven Central)
# recorded: 2026-11-22, exit status 0
# two files, one behind the other
