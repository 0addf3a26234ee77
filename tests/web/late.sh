#!/bin/bash
# The page in a real browser: see late.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests late.mjs
