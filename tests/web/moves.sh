#!/bin/bash
# The page in a real browser: see moves.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests moves.mjs
