echo 'GET http://127.0.0.1:8931/redirect' | vegeta attack -rate=50/s -duration=2s -redirects=-1 -output redirects.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# every answer a 301, not followed: success
