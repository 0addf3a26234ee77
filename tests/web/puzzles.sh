#!/bin/bash
# The page in a real browser: see puzzles.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests puzzles.mjs
