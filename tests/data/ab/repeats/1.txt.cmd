ab -q -n 100 -c 4 -e 1.csv -g 1.tsv 'http://127.0.0.1:8951/slow?ms=10&every=3' > 1.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# one of six runs of the same server: much alike, and yet not the same run
