#!/usr/bin/env bash
# The threads of quickstart's server, thrice; one of them waits longer.
# shellcheck source-path=SCRIPTDIR source=../../benchkit/scenarios/lib.sh
source "$BK_LIB/lib.sh"
port=''

start() {
  local wait_ms=$BK_WAIT_MS
  [[ $BK_VARIANT != slower ]] || wait_ms=$("$BK_PYTHON" -c "print(1.1 * $BK_WAIT_MS)")
  bk_free_port port
  bk_start server -- "$BK_PYTHON" "$BK_LIB/quickstart/server.py" threads \
    --port "$port" --wait-ms "$wait_ms"
  bk_wait server "$port" /
}

warm_up() { bk_warm_up 10 ab -q -k -t 1 -n 200 -c "$BK_CONNECTIONS" "$(url)"; }

measure() {
  bk_measure report.txt "$((BK_DURATION + 20))" ab -q -k -t "$BK_DURATION" -n 1000000 \
    -c "$BK_CONNECTIONS" -e "$BK_OUT/percentiles.csv" -g "$BK_OUT/requests.tsv" "$(url)"
}

url() { printf 'http://127.0.0.1:%s/' "$port"; }

bk_main "$@"
