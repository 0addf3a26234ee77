#!/bin/bash
# The quick part of full.sh: every position, counts up to two million nodes.
PERFT_LIMIT=${PERFT_LIMIT:-2000000} exec "$(dirname "$0")/full.sh"
