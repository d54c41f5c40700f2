ghz --insecure --call grpc.health.v1.Health.Check -c 2 -z 1s --rps 100 127.0.0.1:8079 > timed.txt
# tool: ghz 0.93.0
# recorded: 2026-11-22, exit status 0
# for a time: what is under way at its end is closed
