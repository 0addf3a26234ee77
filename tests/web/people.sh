#!/bin/bash
# The page in a real browser: see people.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests people.mjs
