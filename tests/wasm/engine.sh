#!/bin/bash
# The engine of `make wasm` in node: see engine.mjs.
#
#   engine.sh FOLDER      the folder with castellan.js
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
signature=$(sed -n 's/^signature=//p' "$here/../search/bench.sh")
for variant in threads single; do
    [ -e "$1/castellan-$variant.js" ] && node "$here/engine.mjs" "$1" "$signature" $variant
done
