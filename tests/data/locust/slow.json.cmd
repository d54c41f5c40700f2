PATH_ASKED='/slow?ms=150&every=3' locust -f locustfile.py --headless --host http://127.0.0.1:8931 -u 4 -r 4 -t 5s --json-file slow 2> /dev/null
# tool: locust 2.47.0 (PyPI)
# recorded: 2026-11-22, exit status 1
# likewise, as JSON
