ghz --insecure --call grpc.health.v1.Health.Check -c 4 -n 200 -O csv 127.0.0.1:8079 > plain.csv
# tool: ghz 0.93.0
# recorded: 2026-11-22, exit status 0
# a line per request
