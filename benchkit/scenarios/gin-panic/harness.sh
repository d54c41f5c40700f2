#!/usr/bin/env bash
# A gin server that panics, its log going to a file, nowhere, or a slow terminal, under vegeta.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
source "$BK_LIB/lib.sh"
port=''
log=''
load=()

# One source, and a go.mod for each version of gin.
build() {
  cd "$BK_SCENARIO/server"
  local file version
  for file in go.mod gin-*.mod; do
    version=$(awk '$1 == "require" && $2 ~ /gin$/ { print substr($3, 2) }' "$file")
    go build -mod=readonly -modfile="$file" -trimpath -buildvcs=false \
      -o "$BK_BUILD/server-$version" .
  done
}

start_console() {
  log=$BK_WORK/terminal
  bk_start console --sample no -- "$BK_PYTHON" -I "$BK_SCENARIO/console.py" open "$log" "$BK_DRAIN"
  local try
  for try in {1..200}; do
    if [[ -c $log ]]; then return; fi
    bk_lives console || bk_fail "no pseudo-terminal: $(bk__last_line console)"
    sleep 0.02
  done
  bk_fail "no pseudo-terminal after $try attempts"
}

start() {
  local server=$BK_BUILD/server-$BK_GIN
  [[ -x $server ]] || bk_fail "gin $BK_GIN is not among those built: $(built)"
  case $BK_SINK in
    file) log=$BK_WORK/server.log ;;
    null) log=/dev/null ;;
    console) start_console ;;
    *) bk_fail "no sink $BK_SINK; there are file, null and console" ;;
  esac
  bk_free_port port
  # gin colours what it writes to a terminal, unless that is 'dumb'.
  bk_start server --log "$log" -- env TERM=xterm "$server" -port "$port" -router "$BK_VARIANT"
  bk_wait server "$port" /ready
  # vegeta built from its sources does not know its version.
  bk_note vegeta_sha256 "$(sha256sum "$(command -v vegeta)" | cut -d ' ' -f 1)"
  # The published address, whatever the port: error messages have it, and are then alike.
  load=(
    -targets "$BK_SCENARIO/targets.http" -connect-to "127.0.0.1:8080:127.0.0.1:$port"
    -rate "$BK_RATE" -timeout "${BK_TIMEOUT}s"
  )
}

warm_up() {
  ((BK_WARM_UP == 0)) || bk_warm_up 60 vegeta attack "${load[@]}" \
    -duration "$((BK_WARM_UP * 1000 / BK_RATE))ms"
  bk_note log_bytes_before "$(log_bytes)"
  [[ $BK_SINK == console && $BK_FILL == true ]] || return 0
  local bk__out=$BK_WORK/filled
  bk_load fill 30 "$BK_PYTHON" -I "$BK_SCENARIO/console.py" fill "$log" ||
    bk_fail 'the terminal could not be filled'
  bk_note fill_bytes "$(<"$bk__out")"
}

measure() {
  bk_measure attack.gob "$((BK_DURATION + BK_TIMEOUT + 20))" \
    vegeta attack "${load[@]}" -duration "${BK_DURATION}s"
  bk_note log_bytes_after "$(log_bytes)"
}

# What the terminal has shown, where there is one: the rest waits in its buffer, or in the server.
log_bytes() {
  if [[ $BK_SINK == console ]]; then bk_log_size console; else bk_log_size server; fi
}

built() {
  local path names=()
  for path in "$BK_BUILD"/server-*; do names+=("${path##*/server-}"); done
  printf '%s ' "${names[@]}"
}

bk_main "$@"
