vegeta attack -rate=50/s -duration=3s -timeout=1s -targets errors.targets -output errors.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# code 0 and error texts: timeout, refused, EOF, unexpected EOF, beside answers
