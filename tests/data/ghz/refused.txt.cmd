ghz --insecure --call grpc.health.v1.Health.Check -c 2 -n 10 --connect-timeout 1s 127.0.0.1:8999 > refused.txt 2>&1
# tool: ghz 0.93.0
# recorded: 2026-11-22, exit status 1
# nothing listens: no result
