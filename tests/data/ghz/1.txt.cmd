ghz --insecure --call grpc.health.v1.Health.Check -c 1 -n 1 127.0.0.1:8079 > 1.txt
# tool: ghz 0.93.0
# recorded: 2026-11-22, exit status 0
# one request
