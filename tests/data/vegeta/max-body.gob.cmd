echo 'GET http://127.0.0.1:8931/size?n=3000' | vegeta attack -rate=50/s -duration=2s -max-body=0 -output max-body.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# no body kept (-max-body=0): bytes in are 0
