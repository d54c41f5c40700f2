ghz --insecure --call grpc.health.v1.Health.Check -c 2 -n 50 -d '{"service":"none"}' 127.0.0.1:8079 > not-found.txt
# tool: ghz 0.93.0
# recorded: 2026-11-22, exit status 0
# every answer is the status NotFound
