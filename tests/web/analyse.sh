#!/bin/bash
# The page in a real browser: see analyse.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests analyse.mjs
