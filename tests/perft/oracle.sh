#!/bin/bash
# Counts of castellan against those of Stockfish, on random positions of ordinary chess and of
# Chess960 with different ranks for the two sides.
#
#   CASTELLAN=binary TOOLS=folder-of-randpos [ORACLE_POSITIONS=2000] [ORACLE_SEED=1] oracle.sh
set -uo pipefail
PATH=$PATH:/usr/games
depth=4
count=${ORACLE_POSITIONS:-2000}
seed=${ORACLE_SEED:-1}

if ! command -v stockfish >/dev/null; then
    echo "skip perft oracle: stockfish is not installed"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

ask_stockfish() { # CHESS960 < FENS
    {
        echo "setoption name UCI_Chess960 value $1"
        sed "s|.*|position fen &\ngo perft $depth|"
        echo quit
    } | stockfish | sed -n 's/^Nodes searched: //p'
}

failed=0
complain() {
    echo "not ok $1"
    failed=1
}

compare() { # VARIANT CHESS960 [castellan's option]
    local name="perft oracle $1" fens=$work/$1.fens
    if ! "$TOOLS/randpos" $((count / 2)) "$seed" "$1" >"$fens" ||
        ! "$CASTELLAN" perft $depth --stdin ${3:+"$3"} <"$fens" >"$work/ours" ||
        ! ask_stockfish "$2" <"$fens" >"$work/theirs"; then
        complain "$name: a program failed"
        return
    fi
    local asked answered
    asked=$(wc -l <"$fens") answered=$(wc -l <"$work/theirs")
    if [ "$asked" != $((count / 2)) ] || [ "$answered" != "$asked" ]; then
        complain "$name: $answered answers to $asked of $((count / 2)) positions"
    elif ! cmp -s "$work/ours" "$work/theirs"; then
        paste -d '|' "$work/ours" "$work/theirs" "$fens" |
            awk -F '|' '$1 != $2 { print "castellan " $1 ", stockfish " $2 ": " $3 }' | head -n 20
        complain "$name: counts differ, see above"
    else
        echo "ok $name: $asked positions, $(awk '{ sum += $1 } END { printf "%.0f", sum }' \
            "$work/ours") nodes"
    fi
}

compare standard false
compare chess960 true --chess960
exit $failed
