#!/usr/bin/env bash
# A web server alone and behind gateways, under wrk. A virtual machine that compiles what it runs
# gets faster for a while, so that load goes on until its rate no longer rises.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
source "$BK_LIB/lib.sh"
port=''    # what the load goes to
backend='' # the web server
load=()

build() {
  (cd "$BK_SCENARIO/static" && go build -mod=readonly -trimpath -buildvcs=false -o "$BK_BUILD/static" .)
  case $BK_VARIANT in
    spring-cloud-gateway | zuul | finagle-stand-in) build_jar "$BK_SCENARIO/$BK_VARIANT" ;;
  esac
}

# Maven writes beside its sources.
build_jar() {
  cp -R -- "$1" "$BK_BUILD/maven"
  mvn --batch-mode --quiet --strict-checksums --file "$BK_BUILD/maven/pom.xml" -DskipTests package
  mv -- "$BK_BUILD/maven/target/server.jar" "$BK_BUILD/server.jar"
  [[ ! -d $BK_BUILD/maven/target/lib ]] || mv -- "$BK_BUILD/maven/target/lib" "$BK_BUILD/lib"
  rm -r -- "$BK_BUILD/maven"
}

start() {
  bk_free_port backend
  bk_start static -- "$BK_BUILD/static" -port "$backend"
  bk_wait static "$backend" /hello.txt
  port=$backend
  [[ $BK_VARIANT == none ]] || start_gateway
  load=(-t "$BK_THREADS" -c "$BK_CONNECTIONS")
  # linkerd finds its services by the name of the host.
  [[ $BK_VARIANT != linkerd ]] || load+=(-H 'Host: web')
}

start_gateway() {
  local url=http://127.0.0.1:$backend
  bk_free_port port
  local spring=(
    --server.address=127.0.0.1 --server.port="$port"
    --spring.main.banner-mode=off --logging.level.root=warn
  )
  case $BK_VARIANT in
    spring-cloud-gateway) java_server "$BK_BUILD/server.jar" "${spring[@]}" --backend="$url" ;;
    zuul)
      java_server "$BK_BUILD/server.jar" "${spring[@]}" \
        --zuul.routes.all.path='/**' --zuul.routes.all.url="$url"
      ;;
    finagle-stand-in) java_server "$BK_BUILD/server.jar" "$port" "$backend" ;;
    linkerd)
      linkerd_configuration >"$BK_WORK/linkerd.yaml"
      java_server "$LINKERD_JAR" "$BK_WORK/linkerd.yaml"
      bk_wait gateway "$port" '' 60
      return
      ;;
  esac
  bk_wait gateway "$port" /hello.txt 60
}

# What a virtual machine leaves in the folder for temporary files goes with the run's.
java_server() {
  bk_start gateway -- java "-Xmx$BK_HEAP" -XX:-UsePerfData "-Djava.io.tmpdir=$BK_WORK" -jar "$@"
}

linkerd_configuration() {
  local admin
  bk_free_port admin
  cat <<END
admin: {ip: 127.0.0.1, port: $admin}
usage: {enabled: false}
routers:
- protocol: http
  dtab: /svc/web => /\$/inet/127.0.0.1/$backend
  servers:
  - {ip: 127.0.0.1, port: $port}
END
}

# Windows of load, until the last of them were hardly faster than those before, or the cap is
# reached. Their rates become facts of the run.
warm_up() {
  local most=$((BK_WARM_UP_CAP / BK_WINDOW)) rates=() capped=no refused=0
  until steady "${rates[@]}"; do
    if ((${#rates[@]} >= most)); then
      capped=yes
      break
    fi
    bk__out=$BK_WORK/window.txt bk_load warm-up $((BK_WINDOW + 20)) \
      wrk "${load[@]}" -d "${BK_WINDOW}s" "$(url)" || bk_fail 'wrk failed while the server warmed up'
    rates+=("$(awk '/^Requests\/sec:/ { printf "%.0f", $2 }' "$BK_WORK/window.txt")")
    refused=$(refusals "$BK_WORK/window.txt")
    : >"$BK_WORK/window.txt"
    bk_step "warm up: ${rates[-1]}/s"
  done
  # An error comes fast, and evenly.
  ((refused == 0)) || bk_fail "at the end of the warm-up $refused responses had a status above 399"
  bk_note warm_up_rps "${rates[*]}"
  bk_note warm_up_s $((${#rates[@]} * BK_WINDOW))
  bk_note warm_up_capped "$capped"
}

# steady RATES...: whether the median of the last windows is hardly above that of as many before. Of
# medians, as one window that something else disturbed says nothing; for the same reason not where it
# is far below.
steady() {
  awk -v windows="$BK_WINDOWS" -v rise="$BK_RISE" -v fall="$BK_FALL" -v rates="$*" '
    function median(first,  i, j, sorted, held) {
      for (i = 1; i <= windows; i++) {
        held = rate[first + i - 1]
        for (j = i; j > 1 && sorted[j - 1] > held; j--) sorted[j] = sorted[j - 1]
        sorted[j] = held
      }
      return (sorted[int((windows + 1) / 2)] + sorted[int(windows / 2) + 1]) / 2
    }
    BEGIN {
      n = split(rates, rate, " ")
      if (n < 2 * windows) exit 1
      early = median(n - 2 * windows + 1)
      if (early <= 0) exit 1
      change = median(n - windows + 1) / early - 1
      exit change <= rise && change >= -fall ? 0 : 1
    }'
}

measure() {
  # 64: a run's files are to be small.
  BK_WRK_STEPS=64 bk_wrk $((BK_DURATION + 20)) "${load[@]}" -d "${BK_DURATION}s" "$(url)"
  local refused
  refused=$(refusals "$BK_OUT/report.txt")
  ((refused == 0)) || bk_fail "$refused of the measured responses had a status above 399"
}

# refusals REPORT: responses that wrk counts as errors, by their status.
refusals() { awk '/^ *Non-2xx or 3xx responses:/ { n = $NF } END { print n + 0 }' "$1"; }

url() { printf 'http://127.0.0.1:%s/hello.txt' "$port"; }

bk_main "$@"
