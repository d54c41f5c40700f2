echo 'GET http://127.0.0.1:8931/slow?ms=10&every=1' | vegeta attack -rate=0 -max-workers=2 -duration=1s -output closed-loop.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# -rate=0 -max-workers=2: a closed loop
