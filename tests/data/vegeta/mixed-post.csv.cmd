vegeta encode -to csv -output mixed-post.csv mixed-post.gob
# tool: vegeta 12 (built from source at commit cf58112, go1.26.8; prints no version)
# recorded: 2026-11-20, exit status 0
# CSV of the results in mixed-post.gob
