#!/bin/bash
# The static site of `make wasm` in chromium: see site.mjs.
#
#   CASTELLAN=binary site.sh FOLDER
. "$(dirname "$0")/../web/run.bash"
page_tools wasm/site
exec node "$(dirname "$0")/site.mjs" "$1"
