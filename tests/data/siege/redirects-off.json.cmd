siege -b -c 2 -r 50 --no-parser --no-follow http://127.0.0.1:8931/redirect > redirects-off.json
# tool: siege 4.0.7 (debian)
# recorded: 2026-11-22, exit status 0
# not followed
