vegeta attack -rate=100/s -duration=3s -targets mixed-post.targets -output mixed-post.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# POST with a body and GET in turn; 1 in 10 a 500, 1 in 10 a 404
