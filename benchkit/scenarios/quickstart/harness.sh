#!/usr/bin/env bash
# Three servers of the Python standard library, and any load generator that is there.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
source "$BK_LIB/lib.sh"
port=''

start() {
  bk_free_port port
  bk_start server -- "$BK_PYTHON" "$BK_SCENARIO/server.py" "$BK_VARIANT" \
    --port "$port" --wait-ms "$BK_WAIT_MS"
  bk_wait server "$port" /
}

warm_up() {
  case $BK_TOOL in
    ab) bk_warm_up 10 ab -q -k -t 1 -n 200 -c "$BK_CONNECTIONS" "$(url)" ;;
    wrk) bk_warm_up 10 wrk -t 1 -c "$BK_CONNECTIONS" -d 1s "$(url)" ;;
    autocannon) bk_warm_up 10 autocannon -n -c "$BK_CONNECTIONS" -a 200 "$(url)" ;;
    vegeta)
      printf 'GET %s\n' "$(url)" >"$BK_WORK/targets"
      bk_warm_up 10 vegeta attack -targets "$BK_WORK/targets" -rate "$BK_RATE" -duration 1s
      ;;
  esac
}

measure() {
  local limit=$((BK_DURATION + 20))
  case $BK_TOOL in
    ab)
      bk_measure report.txt "$limit" ab -q -k -t "$BK_DURATION" -n 1000000 -c "$BK_CONNECTIONS" \
        -e "$BK_OUT/percentiles.csv" -g "$BK_OUT/requests.tsv" "$(url)"
      ;;
    wrk)
      bk_wrk "$limit" -t 1 -c "$BK_CONNECTIONS" -d "${BK_DURATION}s" "$(url)"
      ;;
    autocannon)
      bk_autocannon "$limit" -c "$BK_CONNECTIONS" -d "$BK_DURATION" "$(url)"
      ;;
    vegeta)
      printf 'GET %s\n' "$(url)" >"$BK_WORK/targets"
      bk_measure attack.gob "$limit" vegeta attack -targets "$BK_WORK/targets" \
        -rate "$BK_RATE" -duration "${BK_DURATION}s"
      ;;
  esac
}

url() { printf 'http://127.0.0.1:%s/' "$port"; }

bk_main "$@"
