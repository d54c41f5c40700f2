ghz --insecure --call grpc.health.v1.Health.Check -c 4 -n 200 --connections 2 -O json 127.0.0.1:8079 > plain.json
# tool: ghz 0.93.0
# recorded: 2026-11-22, exit status 0
# with every request
