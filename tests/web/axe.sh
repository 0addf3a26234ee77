#!/bin/bash
# The page in a real browser: see axe.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests axe.mjs
