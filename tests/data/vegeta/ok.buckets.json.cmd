vegeta report -type=json -buckets='[0,1ms,2ms,5ms,10ms,50ms]' -output ok.buckets.json ok.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# JSON report with buckets of the results in ok.gob
