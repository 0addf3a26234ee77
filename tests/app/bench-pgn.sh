#!/bin/bash
# Speed of castellan pgn against pgn-extract on the same games: user time, best of five, by turns.
# Both check every move and write nothing but what they found.
#
#   CASTELLAN=binary bench-pgn.sh [GAMES.pgn]
#
# Without a file, 40 MB of games are made (tests/tools/makegames.c, always the same ones).
set -uo pipefail
PATH=$PATH:/usr/games
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_games() {
    (cd "$root" && ${CC:-gcc} -std=c11 -O2 -march=native -D_GNU_SOURCE -Isrc -pthread \
        -o "$work/makegames" tests/tools/makegames.c src/base/*.c src/chess/*.c -lm) || return 1
    "$work/makegames" 40 1 >"$work/games.pgn"
}

user_time() { # COMMAND...; prints seconds of user time
    local TIMEFORMAT=%U
    { time "$@" >/dev/null 2>&1; } 2>&1
}

best() { printf '%s\n' "$@" | sort -n | head -n 1; }

# Peak resident memory in KB, as the kernel counts it; GNU time need not be installed.
peak() {
    "$@" >/dev/null 2>&1 &
    local pid=$! most=0 now
    while now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$now" ]; do
        most=$now
    done
    wait $pid
    echo "$most"
}

games=${1:-}
if [ -z "$games" ]; then
    make_games || exit 1
    games=$work/games.pgn
fi
if ! command -v pgn-extract >/dev/null; then
    echo "pgn-extract is not installed: pgn is not compared"
    exit 0
fi
# A program that stops early would look fast.
if ! "$CASTELLAN" pgn "$games" >/dev/null; then
    echo "castellan does not read these games: pgn is not compared" >&2
    exit 1
fi

ours=() theirs=()
for _ in 1 2 3 4 5; do
    ours+=("$(user_time "$CASTELLAN" pgn "$games")")
    theirs+=("$(user_time pgn-extract -s -r "$games")")
done
awk -v bytes="$(wc -c <"$games")" -v a="$(best "${ours[@]}")" -v b="$(best "${theirs[@]}")" \
    -v memory="$(peak "$CASTELLAN" pgn "$games")" 'BEGIN {
    printf "pgn, %.0f MB: castellan %.3f s (%.0f MB/s, %.1f MB memory), ", bytes / 1e6, a,
           bytes / a / 1e6, memory / 1024
    printf "pgn-extract %.3f s, ratio %.2f\n", b, b / a }'
