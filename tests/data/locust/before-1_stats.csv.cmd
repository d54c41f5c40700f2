locust -f locustfile-before-1.py --no-web --host http://127.0.0.1:8931 -c 4 -r 4 -t 5s --csv before-1 --only-summary > before-1.txt 2>&1
# tool: locustio 0.13.5 (PyPI), with `gevent.signal_handler` for `gevent.signal`, which newer gevents lack
# recorded: 2026-11-23, exit status 1
# two endpoints; one request in five of the second is answered with 404 or 500
