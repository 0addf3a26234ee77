#!/bin/bash
# How good and how fast castellan analyse is. Figures for docs/log/measurements.md.
#
#   bench-analyse.sh agreement GAMES.pgn NODES   its verdicts, judged by Stockfish with ten times the nodes
#   bench-analyse.sh games N OUT.pgn              that many games between levels of the program
#   bench-analyse.sh load N NODES                 that many such games on all cores: use of the cores, memory
#
# Stockfish looks at the position before the move and at the one after it; the drop of its winning chances
# is measured with the same curve and the same steps.
set -uo pipefail
export LC_ALL=C
CASTELLAN=$(realpath "${CASTELLAN:-./castellan}")
TOOLS=${TOOLS:-build/test/tests/tools}
PATH=$PATH:/usr/games
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# score: the answer to the last go, in centipawns for the side to move; a mate is 100000.
score() {
    local line cp=0
    while IFS= read -r -u "$from" line; do
        case $line in
        *' score cp '*) cp=${line#* score cp } cp=${cp%% *} ;;
        *' score mate '*) cp=${line#* score mate } cp=${cp%% *} && { [ "$cp" -gt 0 ] && cp=100000 || cp=-100000; } ;;
        bestmove*) break ;;
        esac
    done
    echo "$cp"
}

# judge START MOVES MOVE NODES: what Stockfish calls the move after those.
judge() {
    local before after
    printf 'ucinewgame\nposition fen %s moves %s\ngo nodes %s\n' "$1" "$2" "$4" >&"$to"
    before=$(score)
    printf 'position fen %s moves %s %s\ngo nodes %s\n' "$1" "$2" "$3" "$4" >&"$to"
    after=$(score)
    awk -v b="$before" -v a="$((-after))" 'function w(c) { return 2 / (1 + exp(-0.00368208 * c)) - 1 }
        BEGIN { d = w(b) - w(a); print (d >= 0.3 ? "blunder" : (d >= 0.2 ? "mistake" : (d >= 0.1 ? "inaccuracy" : "fine"))) }'
}

agreement() {
    local games=$1 nodes=$2 label fen move start moves verdict
    "$CASTELLAN" analyse "$games" --nodes "$nodes" -o "$dir/once.pgn" >/dev/null || exit 1
    "$CASTELLAN" analyse "$games" --nodes "$nodes" -o "$dir/twice.pgn" >/dev/null || exit 1
    cmp -s "$dir/once.pgn" "$dir/twice.pgn" && echo "second run: the same" || echo "second run: DIFFERENT"
    coproc STOCKFISH { exec stockfish 2>/dev/null; }
    exec {to}>&"${STOCKFISH[1]}" {from}<&"${STOCKFISH[0]}"
    printf 'setoption name Hash value 64\n' >&"$to"
    "$TOOLS/verdicts" "$dir/once.pgn" >"$dir/verdicts" || exit 1
    while IFS=$'\t' read -r -u 3 label fen move start moves; do
        verdict=$(judge "$start" "$moves" "$move" $((nodes * 10)))
        printf '%s %s\n' "$label" "$verdict"
        [ "$verdict" = fine ] && printf 'differs: %s %s %s\n' "$label" "$fen" "$move" >&2
    done 3<"$dir/verdicts" >"$dir/pairs"
    printf 'quit\n' >&"$to"
    for label in inaccuracy mistake blunder; do
        awk -v l="$label" '$1 == l { n++; c[$2]++ }
            END { printf "%s: %d; Stockfish: blunder %d, mistake %d, inaccuracy %d, fine %d\n",
                l, n, c["blunder"], c["mistake"], c["inaccuracy"], c["fine"] }' "$dir/pairs"
    done
    awk '$1 == "blunder" { n++; same += ($2 == "blunder"); near += ($2 == "blunder" || $2 == "mistake") }
        END { if (n) printf "blunders: %.1f %% are blunders to Stockfish, %.1f %% at least mistakes\n", 100 * same / n, 100 * near / n }' "$dir/pairs"
}

# games N FILE: N games between levels from 1000 to 2200, from opening lines of 3 to 6 moves: mistakes of all
# sizes, as in games between people, and about as many.
games() {
    local players=() elo each=$((($1 + 19) / 20 * 2))
    for elo in 1000 1300 1600 1900 2200; do players+=("elo=$elo,name=Level $elo"); done
    awk -F '\t' '!/^#/ && (n = split($3, m, " ")) >= 6 && n <= 12 { printf "[Event \"?\"]\n[Result \"*\"]\n\n%s *\n\n", $3 }' \
        data/openings.tsv >"$dir/openings.pgn"
    "$CASTELLAN" match "${players[@]}" --games $each --concurrency "$(nproc)" --openings "$dir/openings.pgn" --seed 7 \
        --pgn "$dir/all.pgn" >/dev/null || exit 1
    awk -v n="$1" '/^\[Event / { g++ } g > n { exit } { print }' "$dir/all.pgn" >"$2"
}

# watch PID: what the process used at most of memory (KB), and the microseconds that its threads were on a core and
# were ready to run but waited for one; as of the last look.
watch() {
    local run=0 wait=0 peak=0 r w m
    while [ -e "/proc/$1/task" ]; do
        read -r r w <<<"$(cat /proc/"$1"/task/*/schedstat 2>/dev/null | awk '{ r += $1; w += $2 } END { printf "%.0f %.0f\n", r / 1e3, w / 1e3 }')"
        m=$(awk '/^VmHWM/ { print $2 }' "/proc/$1/status" 2>/dev/null)
        [ "${r:-0}" -gt $run ] && run=$r wait=$w peak=${m:-$peak}
        sleep 0.2
    done
    echo "$peak $run $wait"
}

# timed COMMAND...: runs it; its process goes to the file pid, what it says to told, and on stderr are seconds that went by, of
# the user and of the system.
timed() {
    local TIMEFORMAT='%R %U %S'
    time bash -c 'echo $$ >"$1" && shift && exec "$@"' timed "$dir/pid" "$@" >"$dir/told" 2>&1
}

# What the cores did is told from the first moment to the last, the end when few games are left included. On a machine
# with other work that says little: there, ready to run is what the program can answer for.
load() {
    local games=$1 nodes=$2 cores watched
    cores=$(nproc)
    games "$games" "$dir/games.pgn"
    timed "$CASTELLAN" analyse "$dir/games.pgn" --nodes "$nodes" -o "$dir/out.pgn" 2>"$dir/time" &
    until [ -s "$dir/pid" ]; do sleep 0.1; done
    watched=$(watch "$(cat "$dir/pid")")
    wait $! || { cat "$dir/told" && exit 1; }
    cat "$dir/told"
    echo "$(cat "$dir/time") $watched" | awk -v c="$cores" '{
        printf "%.1f s, %d cores: %.1f %% of them used (%.1f s user, %.1f s system), used or wanted %.1f %%; %.0f MB of memory at most\n",
            $1, c, 100 * ($2 + $3) / $1 / c, $2, $3, ($5 + $6) / 1e4 / $1 / c, $4 / 1024 }'
}

case ${1:-} in
agreement) agreement "$2" "$3" ;;
games) games "$2" "$3" ;;
load) load "$2" "$3" ;;
*)
    echo "usage: bench-analyse.sh agreement GAMES.pgn NODES | games N OUT.pgn | load N NODES" >&2
    exit 2
    ;;
esac
