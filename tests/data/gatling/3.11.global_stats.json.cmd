rm -rf /tmp/results; JAVA_OPTS='-Dusers=60' gatling -s BasicSim -rf /tmp/results > 3.11.txt 2>&1; cp /tmp/results/*/simulation.log 3.11.log; cd /tmp/results/*/js && for f in global_stats.json stats.json stats.js assertions.xml; do cp $f $OLDPWD/3.11.$f; done
# tool: Gatling 3.11.5 (Maven Central)
# recorded: 2026-11-22, exit status 0
# 120 requests in two parts, one in a group; one in five of the second is answered with 404 or 500: KO
