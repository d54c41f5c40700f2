fortio load -grpc -s 2 -c 2 -qps 100 -t 1s -json grpc.json 127.0.0.1:8079 2> grpc.txt
# tool: fortio 1.68.0
# recorded: 2026-11-22, exit status 0
# gRPC health checks, two streams a connection
