#!/bin/bash
# The page in a real browser: see play.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests play.mjs
