#!/bin/bash
# How good and how fast castellan analyse is. Figures for docs/MEASUREMENTS.md.
#
#   bench-analyse.sh agreement GAMES.pgn NODES   its verdicts, judged by Stockfish with ten times the nodes
#   bench-analyse.sh load GAMES NODES            that many made-up games on all cores: use of the cores, memory
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

# judge FEN MOVE NODES: what Stockfish calls the move.
judge() {
    local before after
    printf 'ucinewgame\nposition fen %s\ngo nodes %s\n' "$1" "$3" >&"$to"
    before=$(score)
    printf 'position fen %s moves %s\ngo nodes %s\n' "$1" "$2" "$3" >&"$to"
    after=$(score)
    awk -v b="$before" -v a="$((-after))" 'function w(c) { return 2 / (1 + exp(-0.00368208 * c)) - 1 }
        BEGIN { d = w(b) - w(a); print (d >= 0.3 ? "blunder" : (d >= 0.2 ? "mistake" : (d >= 0.1 ? "inaccuracy" : "fine"))) }'
}

agreement() {
    local games=$1 nodes=$2 label fen move verdict
    "$CASTELLAN" analyse "$games" --nodes "$nodes" -o "$dir/once.pgn" >/dev/null || exit 1
    "$CASTELLAN" analyse "$games" --nodes "$nodes" -o "$dir/twice.pgn" >/dev/null || exit 1
    cmp -s "$dir/once.pgn" "$dir/twice.pgn" && echo "second run: the same" || echo "second run: DIFFERENT"
    coproc STOCKFISH { exec stockfish 2>/dev/null; }
    exec {to}>&"${STOCKFISH[1]}" {from}<&"${STOCKFISH[0]}"
    printf 'setoption name Hash value 64\n' >&"$to"
    "$TOOLS/verdicts" "$dir/once.pgn" >"$dir/verdicts" || exit 1
    while IFS=$'\t' read -r -u 3 label fen move; do
        verdict=$(judge "$fen" "$move" $((nodes * 10)))
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

# busy PID: microseconds that the threads of a process ran, and that they were ready to run and waited for a core.
busy() {
    cat /proc/"$1"/task/*/schedstat 2>/dev/null | awk '{ run += $1; wait += $2 } END { printf "%.0f %.0f\n", run / 1e3, wait / 1e3 }'
}

# On a machine with other work the time on the cores says little: ready to run is what the program can answer for.
load() {
    local games=$1 nodes=$2 pid begin now run=0 wait=0 peak=0 cores
    cores=$(nproc)
    "$TOOLS/makegames" $((games / 500 + 1)) 7 2>/dev/null |
        awk -v n="$games" '/^\[Event / { g++ } g > n { exit } { print }' >"$dir/games.pgn"
    begin=${EPOCHREALTIME/./}
    "$CASTELLAN" analyse "$dir/games.pgn" --nodes "$nodes" -o "$dir/out.pgn" >"$dir/told" &
    pid=$!
    while [ -e /proc/$pid/task ] && sleep 1; do
        local r w m
        read -r r w <<<"$(busy $pid)"
        [ "$r" -gt "$run" ] || continue
        run=$r wait=$w now=${EPOCHREALTIME/./}
        m=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null)
        peak=${m:-$peak}
    done
    wait $pid || exit 1
    cat "$dir/told"
    awk -v r="$run" -v w="$wait" -v us="$((now - begin))" -v c="$cores" -v m="$peak" 'BEGIN {
        printf "%.0f s, %d cores: on them %.1f %% of the time, on them or ready %.1f %%; %.0f MB of memory at most\n",
            us / 1e6, c, 100 * r / us / c, 100 * (r + w) / us / c, m / 1024 }'
}

case ${1:-} in
agreement) agreement "$2" "$3" ;;
load) load "$2" "$3" ;;
*)
    echo "usage: bench-analyse.sh agreement GAMES.pgn NODES | load GAMES NODES" >&2
    exit 2
    ;;
esac
