#!/usr/bin/env bash
# Records the sample results: three variants of a small server, measured by ab,
# autocannon, vegeta and wrk, three times each, variants in turn. Load goes to
# 127.0.0.1 only. Takes about four minutes; every step has a time limit, and the
# servers are ended on the way out.
#
#   ./record.sh [OUTPUT_FOLDER]      (default: results, beside this script)
#
# Needs ab, autocannon, vegeta, wrk, python3 and gzip in PATH; PORT picks another
# port than 8932, REPEATS another number of repeats than 3, VEGETA_VERSION the
# version where the binary does not print one.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/results}
port=${PORT:-8932}
repeats=${REPEATS:-3}
url=http://127.0.0.1:$port/
wait_ms=2
variants=(blocking asyncio threads)
tools=(ab autocannon vegeta wrk)
server_pid=

stop_server() {
  [[ -n $server_pid ]] || return 0
  kill "$server_pid" 2>/dev/null || true
  wait "$server_pid" 2>/dev/null || true
  server_pid=
}

start_server() { # variant
  python3 "$here/../benchkit/scenarios/quickstart/server.py" "$1" --port "$port" --wait-ms "$wait_ms" &
  server_pid=$!
  local try
  for try in {1..50}; do
    if ! kill -0 "$server_pid" 2>/dev/null; then break; fi
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then return 0; fi
    sleep 0.1
  done
  echo "record.sh: the $1 server did not start on port $port (try $try)" >&2
  exit 1
}

command_of() { # tool
  case $1 in
    ab) echo "ab -q -k -t 4 -n 100000 -c 8 -e percentiles.csv -g requests.tsv $url > report.txt" ;;
    autocannon) echo "autocannon -j -n -c 8 -d 4 $url > result.json" ;;
    vegeta) echo "echo 'GET $url' | vegeta attack -rate=200/s -duration=5s -output attack.gob" ;;
    wrk) echo "wrk -t2 -c8 -d4s --latency $url > report.txt" ;;
  esac
}

version_of() { # tool
  case $1 in
    ab) ab -V | sed -n 's/.*Version \([0-9.]*\).*/\1/p' ;;
    autocannon) autocannon --version | sed -n 's/^autocannon v//p' ;;
    vegeta) echo "${VEGETA_VERSION:-$(vegeta -version | sed -n 's/^Version: *//p')}" ;;
    wrk) { wrk -v || true; } 2>&1 | sed -n 's/^wrk [^0-9]*\([0-9.]*\).*/\1/p' ;;
  esac
}

# What the tool's output does not say, and where it was measured.
write_meta() { # tool variant repeat command started_at
  TOOL=$1 VARIANT=$2 REPEAT=$3 COMMAND=$4 STARTED=$5 VERSION=$(version_of "$1") \
    URL=$url WAIT_MS=$wait_ms python3 - <<'PY'
import json, os, platform

tool = os.environ["TOOL"]
load = {
    "ab": {"connections": 8, "timeout_s": 30},
    "autocannon": {"connections": 8, "timeout_s": 10},
    "vegeta": {"offered_rate_rps": 200, "timeout_s": 30},
    "wrk": {"threads": 2, "connections": 8, "timeout_s": 2},
}[tool]
cpu = platform.processor()
if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    cpu = models[0] if models else cpu
meta = {
    "scenario": f"quickstart-{tool}",
    "variant": os.environ["VARIANT"],
    "repeat": int(os.environ["REPEAT"]),
    "params": {"wait_ms": int(os.environ["WAIT_MS"])},
    "tool": tool,
    "tool_version": os.environ["VERSION"] or None,
    "command": os.environ["COMMAND"],
    "url": os.environ["URL"],
    "method": "GET",
    "started_at": os.environ["STARTED"],
    **load,
    "warm_up": "one second of ab -k -c 8",
    "environment": {
        "os": f"{platform.system()} {platform.release()}",
        "cpu": cpu,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load_average": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
    },
}
with open("meta.json", "w", encoding="utf-8") as file:
    json.dump(meta, file, indent=2)
    file.write("\n")
PY
}

measure() { # tool variant repeat
  local folder=$out/quickstart-$1/$2/$3 command started
  command=$(command_of "$1")
  echo "quickstart-$1 $2 $3"
  rm -rf "$folder"
  mkdir -p "$folder"
  start_server "$2"
  timeout 20 ab -q -k -t 1 -n 100000 -c 8 "$url" >/dev/null 2>&1
  started=$(python3 -c 'from datetime import *; print(datetime.now(timezone.utc).isoformat())')
  (
    cd "$folder"
    timeout 30 bash -c "$command" 2>/dev/null
    if [[ $1 == vegeta ]]; then
      vegeta report -output report.txt attack.gob
      vegeta report -type=json -output report.json attack.gob
      gzip -9n attack.gob
    fi
    if [[ $1 == ab ]]; then gzip -9n requests.tsv; fi
    write_meta "$1" "$2" "$3" "$command" "$started"
  )
  stop_server
}

trap stop_server EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for need in "${tools[@]}" python3 gzip timeout; do
  command -v "$need" >/dev/null || { echo "record.sh: $need is not in PATH" >&2; exit 1; }
done

for ((repeat = 1; repeat <= repeats; repeat++)); do
  for tool in "${tools[@]}"; do
    for ((i = 0; i < ${#variants[@]}; i++)); do # another variant first in each round
      measure "$tool" "${variants[(i + repeat - 1) % ${#variants[@]}]}" "$repeat"
    done
  done
done
echo "$out"
