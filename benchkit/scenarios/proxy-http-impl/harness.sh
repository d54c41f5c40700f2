#!/usr/bin/env bash
# A Go proxy, of net/http or of fasthttp, before a backend that may sleep, under ab.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
source "$BK_LIB/lib.sh"
port=''
backend=''
options=()
pinned=()

build() {
  cd "$BK_SCENARIO/server"
  go build -mod=readonly -trimpath -buildvcs=false -o "$BK_BUILD/" ./...
}

# processors: those that this shell may use, one per line.
processors() {
  local list part
  list=$(taskset -cp "$$")
  for part in $(tr ',' ' ' <<<"${list##*: }"); do seq "${part%-*}" "${part#*-}"; done
}

# The proxy gets the last processors for itself; the sampler and all that is started from here, the others.
constrain() {
  local all=() count=$BK_CPUS others
  [[ $count != all ]] || return 0
  # Of other words arithmetic makes variables, and runs what stands in them.
  [[ $count =~ ^[1-9][0-9]{0,4}$ ]] || bk_fail "cpus=$count is neither a count nor all"
  mapfile -t all < <(processors)
  others=$((${#all[@]} - count))
  ((others > 0)) || bk_fail "cpus=$count leaves none of ${#all[@]} processors to the others"
  pinned=(taskset -c "$(IFS=,; printf '%s' "${all[*]:others}")")
  bk_pin "$(IFS=,; printf '%s' "${all[*]:0:others}")"
}

start() {
  constrain
  # ab: one connection each; the proxy: two each; some for what else they have open.
  (($(ulimit -S -n) >= 2 * BK_CONCURRENCY + 50)) ||
    bk_fail "$BK_CONCURRENCY connections need $((2 * BK_CONCURRENCY + 50)) descriptors: ulimit -n"
  bk_free_port backend
  bk_start backend -- "$BK_BUILD/backend" -port "$backend" -sleep "$BK_SLEEP" -bytes "$BK_BYTES"
  bk_wait backend "$backend" /
  bk_free_port port
  bk_start proxy -- "${pinned[@]}" "$BK_BUILD/$BK_VARIANT" -port "$port" \
    -backend "127.0.0.1:$backend" -keepalive="$BK_KEEPALIVE" -connections "$((BK_CONCURRENCY + 10))"
  bk_wait proxy "$port" /
  # -r: a connection that is reset ends that request, and not the run.
  options=(-q -r -c "$BK_CONCURRENCY")
  [[ $BK_KEEPALIVE != true ]] || options+=(-k)
}

warm_up() {
  local requests=$BK_WARM_UP
  ((requests >= 2 * BK_CONCURRENCY)) || requests=$((2 * BK_CONCURRENCY))
  bk_warm_up 60 ab "${options[@]}" -t "$BK_DURATION" -n "$requests" "$(url)"
  bk_note time_wait_before "$(time_wait)"
}

measure() {
  # -t sets -n to 50000, which must be undone after it.
  local limits=(-t "$BK_DURATION" -n 5000000 -e "$BK_OUT/percentiles.csv")
  [[ $BK_KEEP_REQUESTS != true ]] || limits+=(-g "$BK_OUT/requests.tsv")
  bk_measure report.txt "$((BK_DURATION + 60))" ab "${options[@]}" "${limits[@]}" "$(url)"
  check "$(count Complete)"
}

# check COMPLETE: whether this is the benchmark that was asked for: requests were answered, and a
# connection that is to be kept was kept after each of them.
check() {
  (($1 > 0)) || bk_fail "ab got no answer within $BK_DURATION s"
  [[ $BK_KEEPALIVE != true || $(count Keep-Alive) == "$1" ]] ||
    bk_fail "ab kept its connection after $(count Keep-Alive) of $1 requests"
}

# count NAME: so many requests of that kind.
count() { awk -v name="$1" '$1 == name && $2 == "requests:" { n = $3 } END { print n + 0 }' "$BK_OUT/report.txt"; }

# time_wait: closed connections that the kernel still remembers.
time_wait() { awk '/^TCP:/ { print $7 }' /proc/net/sockstat; }

url() { printf 'http://127.0.0.1:%s/' "$port"; }

bk_main "$@"
