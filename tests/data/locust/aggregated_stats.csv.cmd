locust -f locustfile.py --headless --host http://127.0.0.1:8931 -u 2 -r 2 -t 8s --csv aggregated --json > aggregated.json 2> /dev/null; rm aggregated_failures.csv aggregated_exceptions.csv
# tool: locust 2.47.0 (PyPI)
# recorded: 2026-11-22, exit status 0
# a history without endpoints; the JSON on standard output
