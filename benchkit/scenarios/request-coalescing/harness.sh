#!/usr/bin/env bash
# A Go server with and without singleflight before a PostgreSQL of its own, under ab.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
source "$BK_LIB/lib.sh"
port=''
database=''

build() {
  cd "$BK_SCENARIO/server"
  go build -mod=readonly -trimpath -buildvcs=false -o "$BK_BUILD/server" .
}

# PostgreSQL refuses to run as root.
user() { if ((EUID == 0)); then printf postgres; fi; }

start_database() {
  local cluster=$BK_WORK/postgres as=()
  mkdir "$cluster"
  if ((EUID == 0)); then
    chown postgres: "$cluster"
    as=(setpriv --reuid=postgres --regid=postgres --init-groups --)
  fi
  bk_load initdb 60 "${as[@]}" initdb -D "$cluster/data" -U postgres -A trust --locale=C \
    --encoding=UTF8 --no-sync || bk_fail 'initdb failed'
  bk_free_port database
  # It takes SIGINT for 'now, but in order'.
  bk_start postgres --user "$(user)" --signal INT -- postgres -D "$cluster/data" -p "$database" \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=100 -c fsync=off
  bk_wait postgres "$database"
  local try
  for try in {1..200}; do
    if grep -q 'ready to accept connections' "$BK_WORK/postgres.log"; then return; fi
    sleep 0.05
  done
  bk_fail "PostgreSQL accepts no connections after $try attempts"
}

start() {
  local pool=0
  [[ $BK_POOL != bounded ]] || pool=$BK_POOL_SIZE
  start_database
  bk_free_port port
  bk_start server -- "$BK_BUILD/server" -port "$port" -pool "$pool" -messages "$BK_MESSAGES" \
    -database "postgres://postgres@127.0.0.1:$database/postgres?sslmode=disable"
  bk_wait server "$port" /ready
}

warm_up() {
  bk_warm_up 90 ab -q -r -n "$BK_WARM_UP" -c 50 "$(url)"
}

measure() {
  # -r: a connection that is reset ends that request, and not the run.
  bk_measure report.txt 240 ab -q -r -n "$BK_REQUESTS" -c "$BK_CONCURRENCY" \
    -e "$BK_OUT/percentiles.csv" -g "$BK_OUT/requests.tsv" "$(url)"
}

url() { printf 'http://127.0.0.1:%s/%s' "$port" "$BK_VARIANT"; }

bk_main "$@"
