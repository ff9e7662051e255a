# Sourced by the scripts beside it: a broker of ours on a port of the kernel's choice, Apache Kafka's tools, checks.
# A script exits with 77 and a last line that says why when what it needs is not there.
set -uo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
peers=$top/tests/peers/kafka
millrace=${MILLRACE:-$top/target/release/millrace}
export TMPDIR=${TMPDIR:-$top/tests/tmp}
work=$(mktemp -d)
broker_pid='' kafka_dir=''
failures=0

skip() { echo "$*"; exit 77; }
ok() { echo "ok   $*"; }
bad() { failures=$((failures + 1)); echo "FAIL $*"; }

[ -x "$millrace" ] || skip "no broker at $millrace: cargo build --release first"

cleanup() {
  [ -z "$broker_pid" ] || kill -9 "$broker_pid" 2>/dev/null
  [ -z "$kafka_dir" ] || "$peers/stop" -9 "$kafka_dir"
  rm -rf "$work"
}
trap cleanup EXIT

# need_kafka: brings Kafka's jars, or skips.
need_kafka() {
  command -v java >/dev/null || skip "no java here"
  command -v mvn >/dev/null || skip "no mvn here to bring Kafka's jars"
  "$peers/get" >"$work/get.log" 2>&1 || skip "Kafka's jars cannot be had here: $(tail -n 1 "$work/get.log")"
}

tool() { timeout "${LIMIT:-90}" env KAFKA_TOOL_TIER=1 "$peers/tool" "$@"; }

# start_broker DATA [ARGS...]: sets $broker (address) and $broker_pid.
start_broker() {
  local data=$1
  shift
  mkdir -p "$data"
  "$millrace" server --set listeners=PLAINTEXT://127.0.0.1:0 --set "log.dirs=$data" "$@" \
    >"$work/ready" 2>>"$work/broker.log" &
  broker_pid=$!
  for _ in $(seq 600); do
    broker=$(sed -n 's#^ready.*://\([^, ]*\).*#\1#p' "$work/ready")
    [ -z "$broker" ] || return 0
    kill -0 "$broker_pid" 2>/dev/null || break
    sleep 0.05
  done
  echo "the broker did not start:"
  tail -n 20 "$work/broker.log"
  exit 1
}

stop_broker() {
  kill -TERM "$broker_pid"
  wait "$broker_pid" || bad "a controlled stop ended with $?"
  broker_pid=''
}

kill_broker() {
  kill -KILL "$broker_pid"
  wait "$broker_pid" 2>/dev/null
  broker_pid=''
}

# start_kafka: sets $kafka (address).
start_kafka() {
  kafka_dir=$work/kafka
  kafka=$(KAFKA_PORT=${KAFKA_PORT:-29392} "$peers/start" 1 "$kafka_dir") || skip "Apache Kafka did not start here"
}

# Where clients of others are kept between runs.
cache=${PEERS_HOME:-$HOME/.cache/peers}/clients

# brought NAME COMMAND...: a folder of this name in the cache; COMMAND fills the folder that it is given as last
# argument, once. Skips when it cannot.
brought() {
  local folder=$cache/$1
  shift
  if [ ! -e "$folder/ready" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    "$@" "$folder" >"$work/brought.log" 2>&1 || skip "$* cannot be had here: $(tail -n 1 "$work/brought.log")"
    touch "$folder/ready"
  fi
}

# judge REPORT: counts the checks of another program. Lines of REPORT are "ok NAME" or "FAIL NAME: why"; others are
# not read. A name that is a key of the array expected must fail (its value says why); with a value that begins with
# "either way" it may. A name that the report does not have at all, fails.
declare -A expected=()
judge() {
  local verdict rest name reason
  local -A seen=()
  while read -r verdict rest; do
    case $verdict in ok | FAIL) ;; *) continue ;; esac
    name=${rest%%: *} name=${name%:}
    seen[$name]=1
    reason=${expected[$name]:-}
    case $verdict:$reason in
      ok: | *:either\ way*) ok "$rest${reason:+ ($reason)}" ;;
      FAIL:) bad "$rest" ;;
      FAIL:*) ok "$name fails, as expected: $reason" ;;
      ok:*) bad "$name passes, and was expected to fail ($reason): take it off the list" ;;
    esac
  done <"$1"
  for name in "${!expected[@]}"; do
    [ -n "${seen[$name]:-}" ] || bad "$name did not run"
  done
}

# check NAME COMMAND...: runs it; shows its output when it fails.
check() {
  local name=$1
  shift
  if "$@" >"$work/out" 2>&1; then ok "$name"; else bad "$name"; tail -n 25 "$work/out"; fi
}

# same NAME FILE FILE
same() {
  if cmp -s "$2" "$3"; then ok "$1"; else bad "$1: $2 and $3 differ"; diff "$2" "$3" | head -10; fi
}

finish() {
  [ "$failures" = 0 ] && exit 0
  echo "--- the broker's last lines"
  tail -n 30 "$work/broker.log" 2>/dev/null
  exit 1
}
