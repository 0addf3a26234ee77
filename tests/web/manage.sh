#!/bin/bash
# The page in a real browser: see manage.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests manage.mjs
