vegeta report -output closed-loop.report.txt closed-loop.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# text report of the results in closed-loop.gob
