ab -n 101 -c 3 -e odd.csv -g odd.tsv 'http://127.0.0.1:8931/slow?ms=12&every=3' > odd.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# report, -e and -g of one run of an odd number of requests
