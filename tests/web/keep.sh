#!/bin/bash
# The page in a real browser: see keep.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests keep.mjs
