#!/bin/bash
# Every count of the published perft collections up to LIMIT nodes a line, in one process a depth.
#
#   CASTELLAN=binary [PERFT_LIMIT=100000000] [PERFT_LINES=all] full.sh
#
# Each line of the collections is FEN ;D1 n ;D2 n ...; all depths within the limit are counted.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
data=$root/../shared/data/perft
limit=${PERFT_LIMIT:-100000000}
every=${PERFT_EVERY:-1}
if [ ! -d "$data" ]; then
    echo "skip perft collections: ../shared/data/perft is not there"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

check() { # NAME FILE [castellan's option]
    local name=$1 file=$2 depth
    for depth in 1 2 3 4 5 6; do
        awk -F';' -v d="D$depth " -v limit="$limit" -v every="$every" 'NR % every == 0 {
            for (i = 2; i <= NF; i++)
                if (index($i, d) == 1) {
                    n = substr($i, length(d) + 1) + 0
                    if (n <= limit) { print $1 > fens; print n > counts }
                }
        }' fens="$work/fens" counts="$work/counts" "$file"
        [ -s "$work/fens" ] || continue
        "$CASTELLAN" perft $depth --stdin --threads "$(nproc)" ${3:+"$3"} <"$work/fens" >"$work/ours"
        if cmp -s "$work/ours" "$work/counts"; then
            echo "ok $name, depth $depth: $(wc -l <"$work/counts") positions"
        else
            echo "not ok $name, depth $depth: $(paste -d'|' "$work/fens" "$work/counts" "$work/ours" |
                awk -F'|' '$2 != $3 { print; exit }')"
            failed=1
        fi
        rm -f "$work/fens" "$work/counts"
    done
}

check "perft standard" "$data/standard.epd"
check "perft Chess960" "$data/fischer.epd" --chess960
exit $failed
