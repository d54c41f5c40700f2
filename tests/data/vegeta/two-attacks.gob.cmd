vegeta encode -to gob -output two-attacks.gob named-a.gob named-b.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# two attacks in one stream written by one process: names a and b, seq restarts
