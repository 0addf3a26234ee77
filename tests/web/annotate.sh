#!/bin/bash
# The page in a real browser: see annotate.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests annotate.mjs
