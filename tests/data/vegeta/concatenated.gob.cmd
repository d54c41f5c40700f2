cat named-a.gob named-b.gob > concatenated.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# two gob streams one after another: the type definitions come twice (vegeta itself refuses it: gob: duplicate type received)
