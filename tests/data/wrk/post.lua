wrk.method = "POST"
wrk.body = '{"name": "fixture", "items": [1, 2, 3]}'
wrk.headers["Content-Type"] = "application/json"
