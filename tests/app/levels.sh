#!/bin/bash
# castellan levels: a fit and a test on a few games, the cache, arguments and files that are refused, and what a level's
# move costs.
set -uo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

game() { # MOVES
    printf '[WhiteElo "900"]\n[BlackElo "1600"]\n[TimeControl "300+3"]\n[Result "*"]\n\n%s *\n\n' "$1"
}

check() { # NAME COMMAND...: true is ok
    local name=$1
    shift
    if "$@"; then echo "ok levels $name"; else echo "not ok levels $name: see $*"; fi
}

# Files of one fold hold twenty games: these are in two folds.
for ((i = 0; i < 12; i++)); do
    game '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6'
    game '1. d4 d5 2. c4 dxc4 3. e4 Nf6 4. e5 Nd5'
done >"$dir/games.pgn"

fits() {
    "$CASTELLAN" levels fit "$dir/games.pgn" -o "$dir/weights.c" --share 50 --cache "$dir/cache" --facts >"$dir/facts" &&
        grep -q 'const float human_weights\[HUMAN_WEIGHTS\]' "$dir/weights.c" && grep -q 'human_book = {book_moves, [1-9]' "$dir/weights.c" &&
        grep -q '^takes a pawn ' "$dir/facts" && [ -s "$dir/cache" ]
}
check "fits weights and writes them as C" fits

again() {
    cp "$dir/weights.c" "$dir/first.c" && cp "$dir/cache" "$dir/first" &&
        "$CASTELLAN" levels fit "$dir/games.pgn" -o "$dir/weights.c" --share 50 --cache "$dir/cache" &&
        cmp -s "$dir/weights.c" "$dir/first.c" && cmp -s "$dir/cache" "$dir/first"
}
check "finds the same with the cache" again

tests() {
    "$CASTELLAN" levels test "$dir/games.pgn" --share 50 --cache "$dir/cache" --judged 10 --iterations 20 >"$dir/out" &&
        [ "$(grep -c '^ 800 - 1149 ' "$dir/out")" = 3 ] && grep -q '5000 nodes each' "$dir/out"
}
check "tests by rating" tests

refuses() { # PATTERN ARGUMENTS...
    local pattern=$1
    shift
    ! "$CASTELLAN" levels "$@" >/dev/null 2>"$dir/err" && grep -q -- "$pattern" "$dir/err"
}
check "names a missing output" refuses 'missing -o FILE' fit "$dir/games.pgn"
check "names a missing file" refuses 'nothing.pgn' test "$dir/nothing.pgn"
head -c 1000 "$dir/cache" >"$dir/cut"
check "refuses a cut cache" refuses 'not a complete cache file' test "$dir/games.pgn" --cache "$dir/cut"
printf '1. e4 e5 *\n' >"$dir/unrated.pgn"
check "wants ratings" refuses 'no game with WhiteElo and BlackElo' test "$dir/unrated.pgn"

# The processor time of the program per move, all of it: start, openings and judging included.
MOST_MS=50
cost_of() { # LEVEL: milliseconds of a move
    local TIMEFORMAT='%U %S' moves
    { time "$CASTELLAN" match "castellan,elo=$1,name=a" "castellan,elo=$1,name=b" --nodes 1000000000 --games 2 --max-moves 40 \
        --hash 1 --pgn "$dir/$1.pgn" >/dev/null; } 2>"$dir/time" || return 1
    moves=$(grep -oE '[0-9.]+s[},]' "$dir/$1.pgn" | wc -l)
    awk -v moves="$moves" '{ printf "%.1f", (moves >= 40 ? 1000 * ($1 + $2) / moves : 9999) }' "$dir/time"
}
cheap() { # LEVEL
    local ms
    ms=$(cost_of "$1") && awk -v ms="$ms" -v most=$MOST_MS 'BEGIN { exit !(ms < most) }'
}
for level in 400 1000 1600 1800 2000; do
    check "a move of level $level costs less than $MOST_MS ms of one core" cheap "$level"
done
