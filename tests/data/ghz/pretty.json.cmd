ghz --insecure --call grpc.health.v1.Health.Check -c 2 -n 100 --rps 100 --async -m '{"authorization":"Bearer not-a-real-token"}' -O pretty 127.0.0.1:8079 > pretty.json
# tool: ghz 0.93.0
# recorded: 2026-11-22, exit status 0
# over several lines; asynchronous at a rate
