# shellcheck shell=bash
# Sourced by the scripts here: talks to the real binary, line by line, over pipes.
#
#   engine_start [ARG...]     starts $CASTELLAN with those arguments
#   send LINE...              sends lines
#   expect PATTERN [SECONDS]  reads until a line matches (extended regex) and leaves it in $line;
#                             what was read before it is in $skipped; fails after the time, 30 s unless given
#   silent SECONDS            true when nothing is said for that long
#   engine_end                closes the pipes and waits
#   check NAME COMMAND...     runs a test: a function that returns 0 when the promise holds
#
# Why a test failed is what it wrote with `because`.
set -uo pipefail
CASTELLAN=${CASTELLAN:-./castellan}
[ -x "$CASTELLAN" ] || {
    echo "not ok binary: no program at $CASTELLAN"
    exit 1
}
trap '' PIPE # a dead engine is a failed expectation
failures=0 line='' skipped='' reason='' took=0

because() {
    reason=$*
    return 1
}

engine_start() {
    coproc ENGINE { exec "$CASTELLAN" "$@" 2>&1; }
    engine_pid=$ENGINE_PID
    exec {to}>&"${ENGINE[1]}" {from}<&"${ENGINE[0]}"
    eval "exec ${ENGINE[1]}>&- ${ENGINE[0]}<&-"
}

send() {
    printf '%s\n' "$@" >&"$to"
}

expect() {
    local deadline=$((${EPOCHREALTIME/./} + ${2:-30} * 1000000)) left wait
    skipped=''
    while :; do
        left=$((deadline - ${EPOCHREALTIME/./}))
        printf -v wait '%d.%06d' $((left / 1000000)) $((left % 1000000))
        if [ $left -le 0 ] || ! IFS= read -r -t "$wait" -u "$from" line; then
            because "no line matching '$1'; read: ${skipped:0:300}"
            return 1
        fi
        [[ $line =~ $1 ]] && return 0
        skipped+=$line$'\n'
    done
}

silent() {
    if IFS= read -r -t "$1" -u "$from" line; then
        because "said: $line"
        return 1
    fi
}

engine_end() {
    exec {to}>&-
    local i
    for ((i = 0; i < 3000; i++)); do
        kill -0 "$engine_pid" 2>/dev/null || break
        sleep 0.01
    done
    if kill -0 "$engine_pid" 2>/dev/null; then
        kill -9 "$engine_pid"
        because "did not end with its input"
        exec {from}<&-
        return 1
    fi
    exec {from}<&-
    wait "$engine_pid" 2>/dev/null
    local status=$?
    # The shell may have reaped it before we asked.
    [ $status = 0 ] || [ $status = 127 ] || because "ended with status $status"
}

check() {
    local name=$1
    shift
    reason=''
    if "$@"; then
        echo "ok $name"
    else
        echo "not ok $name: ${reason:-$*}"
        failures=$((failures + 1))
    fi
}
