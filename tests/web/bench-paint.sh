#!/bin/bash
# How soon the page is seen: see paint.mjs.
. "$(dirname "$0")/run.bash"
run_page_tests paint.mjs
