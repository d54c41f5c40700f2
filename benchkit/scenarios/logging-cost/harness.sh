#!/usr/bin/env bash
# A gin server that logs with logrus, under autocannon.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
source "$BK_LIB/lib.sh"
port=''
load=()

build() {
  cd "$BK_SCENARIO/server"
  go build -mod=readonly -trimpath -buildvcs=false -o "$BK_BUILD/server" .
}

start() {
  local log=$BK_WORK/server.log
  [[ $BK_SINK != null ]] || log=/dev/null
  bk_free_port port
  bk_start server --log "$log" -- "$BK_BUILD/server" -port "$port"
  bk_wait server "$port" /ready
  load=(
    -c "$BK_CONNECTIONS" -p "$BK_PIPELINING" -m POST -H 'Content-Type: application/json'
    -b "{\"NumLogs\": ${BK_VARIANT%x*}, \"Size\": ${BK_VARIANT#*x}}"
  )
}

warm_up() {
  bk_warm_up $((BK_WARM_UP + 10)) autocannon -n "${load[@]}" -d "$BK_WARM_UP" "$(url)"
  bk_note log_bytes_before "$(bk_log_size server)"
}

measure() {
  bk_autocannon $((BK_DURATION + 20)) "${load[@]}" -d "$BK_DURATION" "$(url)"
  bk_note log_bytes_after "$(bk_log_size server)"
}

url() { printf 'http://127.0.0.1:%s/logging' "$port"; }

bk_main "$@"
