echo 'GET http://127.0.0.1:8931/tiny' | vegeta attack -rate=5000/s -duration=4s -max-connections=64 | gzip -9n > large.gob.gz
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# 19,997 results (20,000 were asked for), compressed
