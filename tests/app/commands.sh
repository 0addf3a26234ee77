#!/bin/bash
# The command line: help, exit codes, messages, and the small commands.
# shellcheck source=tests/proto/harness.bash
. "$(dirname "$0")/../proto/harness.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run STATUS ARG...: the output is left in $out, the errors in $err.
run() {
    local want=$1 status=0
    shift
    out=$(timeout 100 "$CASTELLAN" "$@" 2>"$work/err" </dev/null) || status=$?
    err=$(cat "$work/err")
    [ $status = "$want" ] || because "$*: status $status, not $want: $err"
}

every_command_has_help() {
    run 0 help || return 1
    local name names
    names=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$out")
    [ "$(wc -w <<<"$names")" -ge 9 ] || because "commands: $names" || return 1
    for name in $names; do
        [ "$name" = help ] && continue
        run 0 "$name" --help && [[ $out == "usage: castellan $name"* ]] || because "$name --help" ||
            return 1
        local direct=$out
        run 0 help "$name" && [ "$out" = "$direct" ] || because "help $name" || return 1
    done
    run 0 --version && [[ $out =~ ^Castellan\ [0-9] ]] || because "--version: $out"
}

misuse_is_2() {
    local arguments
    for arguments in nonsense 'perft' 'perft x' 'perft 2 --what' 'bench 0' 'epd' 'uci now' \
        'speedtest --threads 0' 'bench 5 6' 'perft 2 --stdin 8/8' \
        'help nonsense' 'eval --chess960=1' 'perft 3 --threads'; do
        # shellcheck disable=SC2086
        run 2 $arguments || return 1
        [[ $err == 'castellan: '*': '* ]] || because "$arguments: said '$err'" || return 1
        [ -z "$out" ] || because "$arguments: on stdout: $out" || return 1
    done
}

failure_is_1() {
    run 1 epd /nonexistent.epd && [[ $err == 'castellan: epd: /nonexistent.epd'* ]] ||
        because "$err" || return 1
    run 1 eval 'nonsense w - - 0 1' && [[ $err == 'castellan: eval: '* ]] || because "$err" || return 1
    run 1 perft 2 nonsense
}

full_disk_is_1() {
    [ -w /dev/full ] || return 0
    "$CASTELLAN" perft 1 --divide >/dev/full 2>/dev/null
    [ $? = 1 ] || because "lost output went unnoticed"
}

perft_counts() {
    run 0 perft 3 && [ "$out" = 'Nodes searched: 8902' ] || because "$out" || return 1
    run 0 perft 1 --divide && [[ $out == *'e2e4: 1'*'Nodes searched: 20' ]] || because "$out" || return 1
    run 0 perft 2 4k3/8/8/8/8/8/8/4K2R w K - 0 1 && [ "$out" = 'Nodes searched: 66' ] ||
        because "words: $out" || return 1
    out=$(printf '%s\n' '4k3/8/8/8/8/8/8/4K2R w K - 0 1' nonsense '' '4k3/8/8/8/8/8/8/4K2R w K - 0 1' |
        "$CASTELLAN" perft 2 --stdin 2>/dev/null)
    [ "$out" = $'66\nerror\n66' ] || because "stdin: $out"
}

epd_solves() {
    cat >"$work/suite.epd" <<'SUITE'
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - dm 1; id "mate in one";
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Rd8#; id "not that one";
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id "no task";
SUITE
    run 0 epd "$work/suite.epd" --depth 5 || return 1
    [ "$(tail -n 1 <<<"$out")" = 'solved 2 of 3' ] || because "$out" || return 1
    run 0 epd "$work/suite.epd" --nodes 2000 --json || return 1
    [ "$(tail -n 1 <<<"$out")" = '{"solved": 2, "total": 3}' ] || because "$out" || return 1
    [[ $out == *'"id": "back rank"'*'"solved": true, "move": "Rd8#", "mate": 1'* ]] ||
        because "$out" || return 1
    run 0 epd "$work/suite.epd" --depth 5 && [[ $out == *' found within '*' ms'* ]] || because "$out" || return 1
    grep 'no task' "$work/suite.epd" >"$work/none.epd"
    run 1 epd "$work/none.epd" && [[ $err == *'no position with bm'* ]] || because "$err" || return 1
    echo 'nonsense' >>"$work/suite.epd"
    run 1 epd "$work/suite.epd" --depth 2 && [[ $err == *'line 5: '* ]] || because "$err"
}

# The id of a position is text from outside: a terminal must not obey it.
epd_ids_are_harmless() {
    printf '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "red \033[31m and \007";\n' >"$work/escape.epd"
    run 0 epd "$work/escape.epd" --depth 3 && [[ $out == *'red '* && $out != *[$'\033\007']* ]] ||
        because "plain: $(cat -v <<<"$out")" || return 1
    run 0 epd "$work/escape.epd" --depth 3 --json && [[ $out == *'"id": "red \u001B[31m and \u0007"'* ]] ||
        because "json: $(cat -v <<<"$out")"
}

# Tables that cannot be used are named, with the reason.
refused_tables_are_reported() {
    mkdir -p "$work/tables"
    : >"$work/tables/KQvK.rtbw"
    echo '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#;' >"$work/one.epd"
    run 0 epd "$work/one.epd" --depth 3 --syzygy "$work/tables" &&
        [[ $err == 'castellan: epd: SyzygyPath: 0 WDL and 0 DTZ tables; 1 refused: '*KQvK.rtbw* ]] ||
        because "epd: $err" || return 1
    out=$(printf 'setoption name SyzygyPath value %s\nisready\nquit\n' "$work/tables" | "$CASTELLAN" uci)
    [[ $out == *'info string SyzygyPath: 0 WDL and 0 DTZ tables'*'1 refused: '*KQvK.rtbw* ]] || because "uci: $out"
}

# What was searched till then is told; a script sees that it is not everything.
epd_interrupted_is_1() {
    local mate='6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#;' code pid i
    printf '%s\n' "$mate" 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;' >"$work/long.epd"
    : >"$work/out" # there before the program is
    "$CASTELLAN" epd "$work/long.epd" --depth 60 >"$work/out" 2>"$work/err" &
    pid=$!
    for ((i = 0; i < 300; i++)); do
        grep -q 'Rd8#' "$work/out" && break
        sleep 0.1
    done
    kill -TERM $pid
    wait $pid
    code=$?
    [ $code = 1 ] && [ "$(tail -n 1 "$work/out")" = 'solved 1 of 1' ] &&
        grep -q 'interrupted at line 2' "$work/err" || because "$code: $(cat "$work/out" "$work/err")"
}

eval_shows() {
    run 0 eval && [[ $out == *'score +'* ]] || because "$out" || return 1
    run 0 eval 4k3/8/8/8/8/8/8/4KQ2 b - - 0 1 && [[ $out == *'score +'* ]] || because "$out"
}

speedtest_runs() {
    run 0 speedtest --threads 2 --seconds 1 --hash 16 || return 1
    [ "$(grep -cE '^ +[12] +[0-9]+ +[0-9]+ +[0-9.]+$' <<<"$out")" = 2 ] || because "$out"
}

check every_command_has_help every_command_has_help
check misuse_is_2 misuse_is_2
check failure_is_1 failure_is_1
check full_disk_is_1 full_disk_is_1
check perft_counts perft_counts
check epd_solves epd_solves
check epd_ids_are_harmless epd_ids_are_harmless
check refused_tables_are_reported refused_tables_are_reported
check epd_interrupted_is_1 epd_interrupted_is_1
check eval_shows eval_shows
check speedtest_runs speedtest_runs
exit $((failures > 0))
