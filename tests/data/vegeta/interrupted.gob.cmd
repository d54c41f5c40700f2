echo 'GET http://127.0.0.1:8931/slow?ms=200&every=1' | timeout --signal=INT 2 vegeta attack -rate=50/s -duration=30s -output interrupted.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 124
# SIGINT after 2 s of 30 s: 100 results, the stream ends cleanly
