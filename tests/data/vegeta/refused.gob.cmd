echo 'GET http://127.0.0.1:8999/' | vegeta attack -rate=50/s -duration=2s -output refused.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# nothing listens there: every request is an error
