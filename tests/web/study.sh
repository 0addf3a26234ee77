#!/bin/bash
# The page in a real browser: see study.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests study.mjs
