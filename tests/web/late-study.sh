#!/bin/bash
# The page in a real browser: see late-study.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests late-study.mjs
