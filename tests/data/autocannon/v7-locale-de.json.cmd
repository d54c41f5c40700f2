LC_ALL=de_DE.UTF-8 autocannon -j -c 10 -d 2 http://127.0.0.1:8931/ok > v7-locale-de.json 2> v7-locale-de.txt
# tool: autocannon 7.15.0 (node v20.20.2)
# recorded: 2026-11-20, exit status 0
# German locale
