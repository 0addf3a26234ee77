#!/bin/bash
# The manual page that gets installed tells of every command, and roff has nothing against it.
set -uo pipefail
page=$(mktemp)
trap 'rm -f "$page"' EXIT

if ! scripts/manual "$CASTELLAN" >"$page"; then
    echo "not ok manual: scripts/manual failed"
    exit 1
fi
told=$(grep -c '^\.SS castellan ' "$page")
known=$("$CASTELLAN" help | grep -c '^  [a-z]')
# All but help itself, which the introduction tells of.
if [ "$known" -gt 1 ] && [ "$told" = $((known - 1)) ]; then
    echo "ok manual tells of every command"
else
    echo "not ok manual tells of every command: $told of $known"
fi
if ! command -v groff >/dev/null; then
    echo "skip manual is sound roff: groff is not there"
elif complaint=$(groff -man -ww -z "$page" 2>&1) && [ -z "$complaint" ]; then
    echo "ok manual is sound roff"
else
    echo "not ok manual is sound roff: $complaint"
fi
