vegeta attack -rate=20/s -duration=1s -targets secrets.targets -output secrets.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# invented user info and token in the URL, Set-Cookie in the response headers
