timeout -s INT 8 locust -f locustfile.py --headless --host http://127.0.0.1:8931 -u 2 -r 2 --csv interrupted > interrupted.txt 2>&1; rm interrupted_failures.csv interrupted_exceptions.csv interrupted_stats_history.csv
# tool: locust 2.47.0 (PyPI)
# recorded: 2026-11-22, exit status 0
# stopped by Ctrl-C
