ab -k -n 1000 -c 10 -e slow-all.csv -g slow-all.tsv 'http://127.0.0.1:8931/slow?ms=40&every=7' > slow-all.txt
# tool: ab 2.3 (apache2-utils 2.4.71-1~deb12u1)
# recorded: 2026-11-20, exit status 0
# report, -e and -g of one run; 1 request in 7 takes 40 ms, the rest none
