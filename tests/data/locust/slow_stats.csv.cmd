PATH_ASKED='/slow?ms=150&every=3' locust -f locustfile.py --headless --host http://127.0.0.1:8931 -u 4 -r 4 -t 8s --csv slow > slow.txt 2>&1; rm slow_failures.csv slow_exceptions.csv slow_stats_history.csv
# tool: locust 2.47.0 (PyPI)
# recorded: 2026-11-22, exit status 0
# latencies above 100 ms, which have two digits
