locust -f locustfile.py --headless --host http://127.0.0.1:8931 -u 4 -r 4 -t 8s --csv plain --csv-full-history --html /tmp/plain.html > plain.txt 2>&1; sed -n "/<title>/p; /templateArgs = {/,\$p" /tmp/plain.html > plain.html
# tool: locust 2.47.0 (PyPI)
# recorded: 2026-11-22, exit status 1
# two endpoints; one request in five of the second is answered with 404 or 500
