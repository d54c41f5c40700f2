PATH_ASKED='/stall?every=10' locust -f locustfile.py --headless --host http://127.0.0.1:8931 -u 4 -r 4 -t 9s --csv stall > stall.txt 2>&1; rm stall_failures.csv stall_exceptions.csv stall_stats_history.csv
# tool: locust 2.47.0 (PyPI)
# recorded: 2026-11-22, exit status 0
# one request in ten of the first endpoint is never answered, and given up after a second
