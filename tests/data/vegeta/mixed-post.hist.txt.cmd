vegeta report -type='hist[0,1ms,2ms,5ms,10ms,50ms]' -output mixed-post.hist.txt mixed-post.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# histogram report of the results in mixed-post.gob
