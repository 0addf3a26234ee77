#!/bin/bash
# The page in its languages: see languages.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests languages.mjs
