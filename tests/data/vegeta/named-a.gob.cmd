echo 'GET http://127.0.0.1:8931/slow?ms=5&every=1' | vegeta attack -name=a -rate=100/s -duration=2s -output named-a.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# attack name a
