#!/bin/bash
# castellan rate: ratings from files of games, anchors, and files that are none.
set -uo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

game() { # WHITE BLACK RESULT
    printf '[White "%s"]\n[Black "%s"]\n[Result "%s"]\n\n1. e4 e5 %s\n\n' "$1" "$2" "$3" "$3"
}

check() { # NAME COMMAND...: true is ok
    local name=$1
    shift
    if "$@"; then echo "ok rate $name"; else echo "not ok rate $name: see $*"; fi
}

for _ in 1 2 3; do game Ann Bob 1-0; done >"$dir/a.pgn"
{ game Bob Ann 1-0; game Bob Cid 1/2-1/2; game Cid Bob 1/2-1/2; game Cid Ann '*'; } >"$dir/b.pgn"

fits() {
    "$CASTELLAN" rate "$dir/a.pgn" "$dir/b.pgn" --anchor Bob=1500 --crosstable >"$dir/out" &&
        awk '$2 == "Ann" { ann = $3 } $2 == "Bob" { bob = $3; anchor = $4 } $2 == "Cid" { cid = $3 }
             END { exit !(ann > 1600 && ann < 1700 && bob == 1500 && anchor == "anchor" && cid == 1500) }' "$dir/out" &&
        grep -q '^| 1 | Ann | 16' "$dir/out" && grep -q '^6 games, 1 without result' "$dir/out"
}
check "measures by an anchor" fits

no_anchors() {
    for ((i = 0; i < 100; i++)); do game Ann Bob 1-0; game Bob Ann 1-0; game Ann Cid 1-0; done >"$dir/c.pgn"
    "$CASTELLAN" rate "$dir/c.pgn" >"$dir/out" &&
        awk 'NR > 1 && NF == 7 { sum += $3; n++ } $2 == "Ann" || $2 == "Bob" { if ($4 > 250) wide = 1 }
             END { exit !(n == 3 && sum > 4495 && sum < 4505 && !wide) }' "$dir/out"
}
check "has a mean of 1500 without anchors, and errors of differences" no_anchors

unknown_anchor() {
    ! "$CASTELLAN" rate "$dir/a.pgn" --anchor Eve=1500 2>"$dir/err" && grep -q "Eve" "$dir/err"
}
check "names an anchor who has not played" unknown_anchor

no_games() {
    head -c 3000 /dev/urandom >"$dir/noise"
    ! "$CASTELLAN" rate "$dir/noise" >/dev/null 2>"$dir/err" && grep -q "no finished game" "$dir/err" &&
        ! "$CASTELLAN" rate "$dir/none.pgn" 2>/dev/null && ! "$CASTELLAN" rate 2>/dev/null
}
check "refuses what has no games" no_games
