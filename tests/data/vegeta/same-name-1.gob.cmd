echo 'GET http://127.0.0.1:8931/ok' | vegeta attack -name=same -rate=50/s -duration=1s -output same-name-1.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# attack name same, first
