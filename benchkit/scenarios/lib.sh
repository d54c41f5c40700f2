# shellcheck shell=bash
# What every harness needs: processes that never outlive it, free ports, readiness that is
# known and not guessed, and a record of what ran. README.md beside this file says how to use it.
#
# A harness sources this file, defines build, start, warm_up and measure as far as it needs
# them, and ends with: bk_main "$@"
#
# Given by the runner, all in the environment:
#   BK_LIB BK_SCENARIO   folders: of this file, of the scenario
#   BK_PYTHON            the Python that runs benchkit
#   BK_BUILD             folder of the build; made by `build`, read by `run`
#   BK_WORK BK_OUT       folders of one run: scratch (removed), and results (kept)
#   BK_TOOL BK_VARIANT   load generator and variant; every param and setting as BK_<NAME>
set -euo pipefail

bk__running=()           # names, in the order of their start
bk__sampled=()           # names of the servers whose cost is measured
declare -A bk__pid=()    # name -> process, which also names its group and its session
declare -A bk__ticks=()  # name -> start time of that process: a pid may be given again
declare -A bk__signal=() # name -> signal that asks it to end
declare -A bk__grace=()  # name -> seconds that it gets for that
declare -A bk__log=()    # name -> file that its output goes to
bk__commands=0

# Exit statuses that the runner knows.
BK_FAILED=1
BK_TRY_AGAIN=75

# bk_say TEXT...: a line for whoever reads the harness's output.
bk_say() { printf '%s\n' "$*" >&2; }

# bk_fail TEXT...: end this run; the text becomes the reason of the failure.
bk_fail() {
  [[ -z ${BK_WORK:-} ]] || printf '%s\n' "$*" >"$BK_WORK/reason"
  bk_say "$*"
  exit "$BK_FAILED"
}

# bk_step TEXT: what is being done now, for the progress display.
bk_step() { printf '%s\n' "$1" >"$BK_WORK/step"; }

# bk_note KEY VALUE: a fact about this run, kept in meta.json under "facts".
bk_note() { printf '%s\0%s\0' "$1" "$2" >>"$BK_WORK/facts"; }

# bk_keep NAME VALUE: a value that start leaves for measure. They share a shell, so that a plain
# variable does as well; this one also shows in meta.json.
bk_keep() {
  printf -v "$1" '%s' "$2"
  bk_note "$1" "$2"
}

bk_now() { printf '%s' "$EPOCHREALTIME"; }

# --- processes ---

# bk__ticks_of PID: when it started, in clock ticks since boot; fails for what is gone or a zombie.
bk__ticks_of() {
  local stat fields
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  read -ra fields <<<"${stat##*) }"
  [[ ${fields[0]} != [ZX] ]] || return 1
  printf '%s' "${fields[19]}"
}

# bk_lives NAME: whether the process that we started still runs.
bk_lives() {
  local ticks
  [[ -n ${bk__pid[$1]:-} ]] && ticks=$(bk__ticks_of "${bk__pid[$1]}") || return 1
  [[ $ticks == "${bk__ticks[$1]}" ]]
}

# bk__record NAME COMMAND...: remember a command line and when it began.
bk__record() {
  local file
  bk__commands=$((bk__commands + 1))
  printf -v file '%s/commands/%03d' "$BK_WORK" "$bk__commands"
  mkdir -p "$BK_WORK/commands"
  printf '%s\0' "$@" >"$file.argv"
  bk_now >"$file.start"
  bk__recorded=$file
}

# bk__launch NAME USER LOG ERRORS COMMAND...: a session of its own, which dies with this shell.
# It must be called by the shell itself: in (...) or $(...) the parent would be gone at once.
bk__launch() {
  local name=$1 user=$2 log=$3 errors=$4 ticks=
  shift 4
  [[ $BASH_SUBSHELL -eq 0 ]] || bk_fail "$name was started in a subshell"
  local with=(--pdeathsig KILL)
  if [[ -n $user && $EUID -eq 0 ]]; then
    # A change of user clears the parent-death signal; within one setpriv it is set after it.
    with+=(--reuid="$user" --regid="$user" --init-groups)
  fi
  bk__record "$name" "$@"
  setsid -- setpriv "${with[@]}" -- "$@" </dev/null >>"$log" 2>>"$errors" &
  bk__pid[$name]=$!
  ticks=$(bk__ticks_of "$!") || true
  bk__ticks[$name]=$ticks
  bk__running+=("$name")
}

# bk_start NAME [--log FILE] [--user USER] [--signal SIG] [--grace SECONDS] [--sample no] -- COMMAND...
# Starts a server in the background. Its output goes to a log in BK_WORK, of which the head is
# kept; --log /dev/null throws it away. --user matters only for root. --sample no: what belongs to
# the benchmark and is no cost of what is measured.
bk_start() {
  local name=$1 user='' log=$BK_WORK/$1.log signal=TERM grace=3 sample=yes
  shift
  while [[ $1 != -- ]]; do
    case $1 in
      --log) log=$2 ;;
      --user) user=$2 ;;
      --signal) signal=$2 ;;
      --grace) grace=$2 ;;
      --sample) sample=$2 ;;
      *) bk_fail "bk_start: no option $1" ;;
    esac
    shift 2
  done
  shift
  bk__signal[$name]=$signal bk__grace[$name]=$grace bk__log[$name]=$log
  bk__launch "$name" "$user" "$log" "$log" "$@"
  [[ $sample != no ]] || return 0
  bk__sampled+=("$name")
  printf '%s %s\n' "$name" "${bk__pid[$name]}" >>"$BK_WORK/watch"
}

# bk_stop NAME: ask it to end, wait, and make sure that nothing of its group is left.
bk_stop() {
  local name=$1 pid=${bk__pid[$1]:-} deadline
  [[ -n $pid ]] || return 0
  if bk_lives "$name"; then
    kill "-${bk__signal[$name]:-TERM}" -- "-$pid" 2>/dev/null ||
      kill "-${bk__signal[$name]:-TERM}" "$pid" 2>/dev/null || true
    deadline=$((SECONDS + ${bk__grace[$name]:-3} + 1))
    while bk_lives "$name" && ((SECONDS < deadline)); do sleep 0.02; done
  fi
  # Whatever else is in the group had its chance; an empty group refuses the signal.
  kill -KILL -- "-$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  # `unset` would expand the name once more, and run what stands in it.
  bk__pid[$name]='' bk__ticks[$name]=''
}

# bk_pin PROCESSORS: those of this shell and of all that it starts from now on, as `taskset -c` has
# them; and of the sampler, which began before.
bk_pin() {
  taskset -cp "$1" "$$" >"$BK_WORK/taskset.log"
  ! bk_lives sampler || taskset -cp "$1" "${bk__pid[sampler]}" >>"$BK_WORK/taskset.log"
}

# --- ports and readiness ---

# bk__listeners PORT: the sockets that listen there, one inode per line.
bk__listeners() {
  local port
  printf -v port ':%04X' "$1"
  awk -v port="$port" '$4 == "0A" && substr($2, length($2) - 4) == port { print $10 }' \
    /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# bk_free_port VARIABLE: a port of 127.0.0.1 that nobody listens on, below those that the
# kernel hands out to outgoing connections.
bk_free_port() {
  # The names must not be the caller's.
  local bk__try bk__found
  for bk__try in {1..200}; do
    bk__found=$((20000 + (RANDOM * 32768 + RANDOM + bk__try) % 12000))
    [[ -z $(bk__listeners "$bk__found") ]] || continue
    printf -v "$1" '%s' "$bk__found"
    return
  done
  bk_fail "no free port between 20000 and 31999"
}

# bk__owns NAME PORT: whether the listener belongs to the session that we started.
bk__owns() {
  local inode stat fields process
  for inode in $(bk__listeners "$2"); do
    for process in "/proc/${bk__pid[$1]}" /proc/[0-9]*; do
      { read -r stat <"$process/stat"; } 2>/dev/null || continue
      read -ra fields <<<"${stat##*) }"
      [[ ${fields[3]} == "${bk__pid[$1]}" ]] || continue
      [[ -z $(find "$process/fd" -lname "socket:\\[$inode\\]" -print -quit 2>/dev/null) ]] || return 0
    done
  done
  return 1
}

# bk_get PORT PATH [SECONDS]: print the status that a GET is answered with; fails without one.
# The rest of the answer is not waited for: some servers keep the connection open after it.
bk_get() {
  local reply=''
  {
    exec {bk__socket}<>"/dev/tcp/127.0.0.1/$1" || return 1
    printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$2" >&"$bk__socket"
    read -r -t "${3:-5}" -u "$bk__socket" reply || true
    exec {bk__socket}>&-
  } 2>/dev/null
  [[ $reply =~ ^HTTP/[0-9.]+\ ([0-9]{3}) ]] || return 1
  printf '%s' "${BASH_REMATCH[1]}"
}

# bk_wait NAME PORT [PATH] [SECONDS]: until the port is open, is ours, and the path answers 2xx
# or 3xx; without a path, until it is open and ours.
bk_wait() {
  local name=$1 port=$2 path=${3:-} deadline=$((SECONDS + ${4:-20})) status=''
  while ((SECONDS <= deadline)); do
    bk_lives "$name" || bk_fail "$name ended before it was ready: $(bk__last_line "$name")"
    if [[ -n $(bk__listeners "$port") ]]; then
      if ! bk__owns "$name" "$port"; then
        # It may have closed it, or died, in between.
        if ! bk_lives "$name" || [[ -z $(bk__listeners "$port") ]]; then continue; fi
        bk_say "port $port was taken by another process"
        exit "$BK_TRY_AGAIN"
      fi
      [[ -n $path ]] || return 0
      status=$(bk_get "$port" "$path") || status=''
      [[ $status != [23]* ]] || return 0
    fi
    sleep 0.02
  done
  bk_fail "$name was not ready on port $port within ${4:-20} s${status:+; $path answered $status}"
}

bk__last_line() {
  local log=${bk__log[$1]:-}
  if [[ -s $log && -f $log ]]; then tail -n 1 -- "$log" | tr -d '\r' | cut -c 1-200; else printf 'it said nothing'; fi
}

# --- measuring ---

# bk_load NAME SECONDS COMMAND...: run something that sends load, for at most that long, and
# return its exit status; output goes to $bk__out and $bk__err.
bk_load() {
  local name=$1 limit=$2 status=0 pid
  shift 2
  bk__signal[$name]=TERM bk__grace[$name]=2
  # The inner setpriv: what `timeout` starts would not inherit the parent-death signal.
  bk__launch "$name" '' "${bk__out:-/dev/null}" "${bk__err:-/dev/null}" \
    timeout -k 2 "$limit" setpriv --pdeathsig KILL -- "$@"
  pid=${bk__pid[$name]}
  [[ $name != "$BK_TOOL" ]] || printf '%s %s\n' "$name" "$pid" >>"$BK_WORK/watch"
  wait "$pid" || status=$?
  printf '%s %s\n' "$(bk_now)" "$status" >"$bk__recorded.end"
  bk_stop "$name"
  return "$status"
}

# bk_warm_up SECONDS COMMAND...: load that is not measured; its output is thrown away.
bk_warm_up() {
  local status=0
  bk_load warm-up "$@" || status=$?
  [[ $status -ne 124 ]] || bk_fail "the warm-up did not end within $1 s"
}

# bk_measure FILE SECONDS COMMAND...: the measured run. What it prints goes to FILE in BK_OUT,
# what it complains about beside it. Ends the run where it fails; its status alone proves
# nothing, as load generators return 0 with failed requests, so that the runner reads FILE too.
bk_measure() {
  local file=$1 limit=$2 status=0 bk__out=$BK_OUT/$1 bk__err=$BK_OUT/stderr.txt
  shift 2
  : >"$bk__out"
  bk_step measure
  bk__watching
  bk_now >"$BK_WORK/measured.start"
  bk_load "$BK_TOOL" "$limit" "$@" || status=$?
  bk_now >"$BK_WORK/measured.end"
  sleep 0.25 # one more look at the processes, after the last request
  printf '%s' "$bk__recorded" >"$BK_WORK/measured"
  [[ $status -ne 124 ]] || bk_fail "$BK_TOOL did not end within $limit s"
  [[ $status -eq 0 ]] || bk_fail "$BK_TOOL ended with status $status: $(tail -n 1 -- "$bk__err")"
  [[ -s $bk__err ]] || rm -f -- "$bk__err"
  local name
  for name in "${bk__running[@]}"; do
    [[ -z ${bk__log[$name]:-} ]] || bk_lives "$name" || bk_fail "$name ended while it was measured"
  done
  [[ -s $BK_OUT/$file ]] || bk_fail "$BK_TOOL printed nothing"
}

# bk_as COMMAND...: the command line by which meta.json names the measured run, where that is
# clearer than what was run; the latter is kept too.
bk_as() { printf '%s\0' "$@" >"$BK_WORK/as"; }

# bk_autocannon SECONDS OPTIONS... URL: a measured run of autocannon that keeps every latency:
# result.json as `autocannon -j -n` prints it, responses.csv with a count per latency.
bk_autocannon() {
  local limit=$1 command
  shift
  command=$(readlink -f "$(command -v autocannon)")
  bk_as autocannon -j -n "$@"
  bk_measure result.json "$limit" \
    node "$BK_LIB/tools/autocannon.js" "$command" "$BK_OUT/responses.csv" "$@"
}

# bk_wrk SECONDS OPTIONS... URL: a measured run of wrk that keeps all of its histogram: report.txt
# as `wrk --latency` prints it, histogram.csv with a count per latency. OPTIONS bring no script of
# their own. BK_WRK_STEPS: to how many steps per doubling these are rounded, otherwise 1024.
bk_wrk() {
  local limit=$1
  shift
  bk_as wrk --latency "$@"
  export BK_WRK_HISTOGRAM=$BK_OUT/histogram.csv
  bk_measure report.txt "$limit" wrk --latency -s "$BK_LIB/tools/wrk.lua" "$@"
  [[ -s $BK_WRK_HISTOGRAM ]] || bk_fail 'wrk wrote no histogram'
}

# bk__watching: wait until the sampler has looked at every server once: what they spent on
# starting is no cost of requests.
bk__watching() {
  local name try=0
  for name in "${bk__sampled[@]}"; do
    until grep -q ",$name," "$BK_WORK/samples.csv" 2>/dev/null; do
      if ((++try > 100)) || ! bk_lives sampler || ! bk_lives "$name"; then return 0; fi
      sleep 0.02
    done
  done
}

# --- the frame of a run ---

# bk_log_size NAME: bytes that a server has written to its log so far.
bk_log_size() {
  if [[ -f ${bk__log[$1]:-} ]]; then stat -c %s -- "${bk__log[$1]}"; else printf 0; fi
}

bk__keep_logs() {
  local name log size
  for name in "${!bk__log[@]}"; do
    log=${bk__log[$name]}
    [[ -f $log && -s $log && -d $BK_OUT ]] || continue
    size=$(stat -c %s -- "$log")
    head -c 4096 -- "$log" >"$BK_OUT/$name.log"
    printf '%s_log_bytes\0%s\0' "$name" "$size" >>"$BK_WORK/facts"
  done
}

bk__orphaned() {
  local stat fields
  read -r stat <"/proc/$$/stat"
  read -ra fields <<<"${stat##*) }"
  [[ ${fields[1]} != "$PPID" ]]
}

# Whatever ends this shell, all it started ends before it, last started first.
bk__cleanup() {
  local status=$? at
  trap '' INT TERM HUP
  trap - EXIT
  set +e
  for ((at = ${#bk__running[@]} - 1; at >= 0; at--)); do bk_stop "${bk__running[at]}"; done
  bk__keep_logs 2>/dev/null
  # Without the runner nobody else removes what is unfinished.
  bk__orphaned && rm -rf -- "${BK_SCRATCH:-$BK_WORK}" "$BK_OUT"
  exit "$status"
}

bk__has() { declare -F "$1" >/dev/null; }

bk__run() {
  mkdir -p "$BK_WORK" "$BK_OUT"
  trap bk__cleanup EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  ulimit -S -n "$(ulimit -H -n)" 2>/dev/null || true
  : >"$BK_WORK/watch"
  bk_step start
  bk__launch sampler '' /dev/null "$BK_WORK/sampler.log" \
    "$BK_PYTHON" -I "$BK_LIB/sampler.py" "$BK_WORK/watch" "$BK_WORK/samples.csv"
  ! bk__has start || start
  bk_step 'warm up'
  ! bk__has warm_up || warm_up
  measure
  bk_step stop
}

# bk_main build|run: what the runner asks for.
bk_main() {
  case ${1:-} in
    build)
      mkdir -p "$BK_BUILD"
      ! bk__has build || build
      ;;
    run) bk__run ;;
    *)
      bk_say "usage: $0 build|run, with the variables that $BK_LIB/README.md lists"
      exit 2
      ;;
  esac
}
