locust -f locustfile.py --headless --host http://127.0.0.1:8931 -u 0 -r 1 -t 1s --csv zero > zero.txt 2>&1; rm zero_failures.csv zero_exceptions.csv
# tool: locust 2.47.0 (PyPI)
# recorded: 2026-11-22, exit status 0
# no user, no request
