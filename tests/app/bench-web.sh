#!/bin/bash
# Fifty boards at once, and then the same with 10,000 silent connections besides: how late the answers
# are and what the server needs. BOARDS, ANSWERS (per board) and IDLE change the numbers.
set -uo pipefail
work=$(mktemp -d)
server=
trap '[ -n "$server" ] && kill "$server" 2>/dev/null; wait; rm -rf "$work"' EXIT
failed=0
ulimit -n "$(ulimit -Hn)"

"$CASTELLAN" web --port 0 --data "$work/data" --no-open >"$work/out" 2>&1 &
server=$!
for _ in {1..200}; do
    port=$(sed -n 's|^listening on http://127.0.0.1:\([0-9]*\)/$|\1|p' "$work/out" 2>/dev/null)
    [ -n "$port" ] && break
    sleep 0.05
done
[ -n "$port" ] || {
    echo "not ok web-load: the server does not listen: $(cat "$work/out")"
    exit 1
}

# load NAME IDLE
load() {
    local status=0
    "$TOOLS/webload" "$port" "${BOARDS:-50}" "${ANSWERS:-10}" "$2" || status=$?
    local most
    most=$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$server/status")
    echo "server: $most MB at most"
    if [ $status = 0 ] && [ "$most" -lt 500 ]; then
        echo "ok $1"
    else
        echo "not ok $1"
        failed=1
    fi
}
load "fifty boards" 0
load "fifty boards beside ${IDLE:-10000} silent connections" "${IDLE:-10000}"
exit $failed
