echo 'GET http://127.0.0.1:8931/ok' | vegeta attack -rate=100/s -duration=3s -output ok.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# every answer 200; no attack name
