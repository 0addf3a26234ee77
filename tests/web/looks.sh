#!/bin/bash
# The page in a real browser: see looks.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests looks.mjs
