#!/bin/bash
# Random command streams: words of the protocol in any order, wrong values, binary, very long lines.
# The engine must survive, keep answering, and end. CASTELLAN_FUZZ_LINES=100000 for the long run,
# CASTELLAN_FUZZ_SEED for another stream.
# shellcheck source=tests/proto/harness.bash
. "$(dirname "$0")/harness.bash"
# shellcheck source=tests/proto/streams.bash
. "$(dirname "$0")/streams.bash"

lines=${CASTELLAN_FUZZ_LINES:-3000}
seed=${CASTELLAN_FUZZ_SEED:-1}
long_line=20000000 # dropped by the engine
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# stream NAME QUESTION ANSWER: as many answers as questions, and a good end.
stream() {
    local asked answered status=0
    { make_stream "$1" "$lines" "$seed" "$long_line" && echo quit; } >"$work/in" || because "no stream" || return 1
    timeout $((60 + lines / 100)) "$CASTELLAN" <"$work/in" >"$work/out" 2>"$work/err" || status=$?
    asked=$(grep -aEc "$2" "$work/in")
    answered=$(grep -aEc "$3" "$work/out")
    [ $status = 0 ] || because "ended with $status: $(tail -c 300 "$work/err")" || return 1
    [ "$asked" -gt 0 ] && [ "$asked" = "$answered" ] || because "asked $asked times, answered $answered"
}

garbage_alone() {
    local status=0
    { head -c 3000000 /dev/urandom; printf '\nuci\nisready\nquit\n'; } |
        timeout 60 "$CASTELLAN" >"$work/out" || status=$?
    [ $status = 0 ] && grep -aqx readyok "$work/out" || because "status $status"
}

no_input() {
    timeout 10 "$CASTELLAN" </dev/null >"$work/out" || because "status $?" || return 1
    [ ! -s "$work/out" ] || because "said something"
}

check uci_stream stream uci '^isready$' '^readyok$'
check cecp_stream stream cecp '^ping [0-9]+$' '^pong '
# The line that was dropped is reported, once.
too_long() {
    { echo "$1" && head -c 17000000 /dev/zero | tr '\0' x && printf '\n%s\nquit\n' "$2"; } |
        timeout 60 "$CASTELLAN" >"$work/out" || because "status $?" || return 1
    [ "$(grep -c '16 MB' "$work/out")" = 1 ] && grep -q "$3" "$work/out" || because "$(tail -c 300 "$work/out")"
}

check uci_line_too_long too_long uci isready '^readyok'
check cecp_line_too_long too_long xboard 'ping 7' '^pong 7'
check garbage_alone garbage_alone
check no_input no_input

exit $((failures > 0))
