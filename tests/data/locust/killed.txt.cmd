timeout -s KILL 8 locust -f locustfile.py --headless --host http://127.0.0.1:8931 -u 2 -r 2 --csv killed > killed.txt 2>&1; rm killed_failures.csv killed_exceptions.csv killed_stats_history.csv
# tool: locust 2.47.0 (PyPI)
# recorded: 2026-11-22, exit status 0
# killed: no last table
