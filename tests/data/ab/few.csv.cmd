ab -n 20 -c 2 -e few.csv -g few.tsv 'http://127.0.0.1:8931/slow?ms=15&every=2' > few.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# report, -e and -g of one run of 20 requests: the last -e rows before 100 read past the samples
