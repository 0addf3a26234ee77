#!/bin/bash
# The page's own compiler has nothing to complain about.
. "$(dirname "$0")/run.bash"
page_tools web/types
if out=$(cd "$here/../../web" && npm run -s check 2>&1); then
    echo "ok web/types"
else
    echo "not ok web/types: $(head -n 1 <<<"$out")"
    echo "$out"
fi
