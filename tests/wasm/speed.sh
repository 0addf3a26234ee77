#!/bin/bash
# Nodes per second of the WebAssembly engine in node against a native program: one thread, by turns, the best of
# ROUNDS=5 each. Counted is processor time, so that other work on the machine matters less; node's own (starting,
# compiling the module) is measured by a run that searches nothing, and taken off.
#
#   speed.sh FOLDER NATIVE
set -euo pipefail
script=$1/castellan.js native=$2 rounds=${ROUNDS:-5}

seconds() { # COMMAND...: of processor time
    local TIMEFORMAT='%U %S'
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

least() { printf '%s\n' "$@" | sort -n | head -n 1; }

nodes=$("$native" bench | awk 'END { print $1 }')
ours=() theirs=() idle=()
for ((i = 0; i < rounds; i++)); do
    theirs+=("$(seconds "$native" bench)")
    ours+=("$(seconds node "$script" bench)")
    idle+=("$(seconds node "$script" 'bench 1')")
done
awk -v n="$nodes" -v a="$(least "${ours[@]}")" -v b="$(least "${theirs[@]}")" -v e="$(least "${idle[@]}")" 'BEGIN {
    printf "bench, %d nodes: native %.2f s (%.0f nodes/s), WebAssembly %.2f s with start (%.0f nodes/s), %.2f s to start\n",
           n, b, n / b, a, n / a, e
    printf "ratio %.0f %%, without the start %.0f %%\n", 100 * b / a, 100 * b / (a - e) }'
