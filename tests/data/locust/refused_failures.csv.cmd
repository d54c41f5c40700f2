locust -f locustfile.py --headless --host http://127.0.0.1:8999 -u 2 -r 2 -t 3s --csv refused > refused.txt 2>&1; rm refused_exceptions.csv refused_stats_history.csv
# tool: locust 2.47.0 (PyPI)
# recorded: 2026-11-22, exit status 0
# nothing listens
