#!/bin/bash
# Speed of the rules against Stockfish's, and of the PGN reader against pgn-extract's: user time, best of
# five, one thread, both programs by turns in one run.
#
#   CASTELLAN=binary bench-rules.sh
set -uo pipefail
PATH=$PATH:/usr/games
here=$(cd "$(dirname "$0")" && pwd)
kiwipete="r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

user_time() { # COMMAND... < stdin; prints seconds of user time
    local TIMEFORMAT=%U
    { time "$@" >/dev/null 2>&1; } 2>&1
}

theirs() { # DEPTH POSITION
    user_time stockfish < <(printf 'position %s\ngo perft %d\nquit\n' "$2" "$1")
}

best() { printf '%s\n' "$@" | sort -n | head -n 1; }

compare() { # NAME NODES DEPTH POSITION FEN
    local ours=() their=() empty=() i
    for i in 1 2 3 4 5; do
        ours+=("$(user_time "$CASTELLAN" perft "$3" "$5")")
        their+=("$(theirs "$3" "$4")")
        empty+=("$(theirs 1 "$4")")
    done
    # What Stockfish needs to start (it loads its net) is not counted against it.
    awk -v name="$1" -v nodes="$2" -v a="$(best "${ours[@]}")" -v b="$(best "${their[@]}")" \
        -v e="$(best "${empty[@]}")" 'BEGIN {
        b -= e
        printf "%s: castellan %.3f s (%.0f million nodes/s), stockfish %.3f s (%.0f), ratio %.2f\n",
               name, a, nodes / a / 1e6, b, nodes / b / 1e6, b / a }'
}

if command -v stockfish >/dev/null; then
    compare "perft 6, start" 119060324 6 startpos \
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    compare "perft 5, kiwipete" 193690690 5 "fen $kiwipete" "$kiwipete"
else
    echo "stockfish is not installed: perft is not compared"
fi
exec "$here/../app/bench-pgn.sh"
