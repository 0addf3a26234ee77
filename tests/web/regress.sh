#!/bin/bash
# The page in a real browser: see regress.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests regress.mjs
