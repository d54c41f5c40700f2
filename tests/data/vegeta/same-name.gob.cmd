vegeta encode -to gob -output same-name.gob same-name-1.gob same-name-2.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# two attacks of one name in one stream: seq restarts within one name
