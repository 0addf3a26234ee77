#!/bin/bash
# The manual page names every command that the program has, and no other.
set -uo pipefail
page=docs/castellan.6

commands=$("$CASTELLAN" help | awk '/^commands:/ { on = 1; next } on && !/^  [a-z]/ { exit } on { print $1 }')
if [ -z "$commands" ]; then
    echo "not ok manual: castellan help lists no commands"
    exit 1
fi
told=$(sed -n 's/^\.B castellan \([a-z][a-z-]*\).*/\1/p' $page)

for command in $commands; do
    if grep -qx -- "$command" <<<"$told"; then
        echo "ok manual tells of $command"
    else
        echo "not ok manual tells of $command: no \".B castellan $command\" in $page"
    fi
done
for command in $told; do
    grep -qx -- "$command" <<<"$commands" ||
        echo "not ok manual tells only what there is: castellan help does not list $command"
done

version=$("$CASTELLAN" --version)
if grep -q "^\.TH CASTELLAN 6 .*\"$version\"" $page; then
    echo "ok manual is of this version"
else
    echo "not ok manual is of this version: $version is not in its first line"
fi
