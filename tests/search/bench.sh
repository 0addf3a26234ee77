#!/bin/bash
# The bench signature: the number of nodes of the fixed search with the shipped net. A change of search, evaluation or net
# changes it; such a commit carries "Bench: N", and N is pinned here and nowhere else.
set -uo pipefail
signature=1265974

last=$(timeout 120 "$CASTELLAN" bench | tail -n 1)
if [[ $last =~ ^([0-9]+)\ nodes\ ([0-9]+)\ nps$ ]] && [ "${BASH_REMATCH[1]}" = $signature ]; then
    echo "ok bench signature"
else
    echo "not ok bench signature: the last line is '$last', not '$signature nodes ... nps'"
fi
