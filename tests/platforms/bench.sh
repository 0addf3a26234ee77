#!/bin/bash
# The bench signature of every platform's program, each as `make` builds it: equal to the one that tests/search/bench.sh pins.
#
#   bench.sh BUILD GCC CLANG      the build folder, and the programs of both compilers
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
signature=$(sed -n 's/^signature=//p' "$here/../search/bench.sh")
export WINEDEBUG=-all
failed=0

check() { # NAME COMMAND...
    local name=$1 nodes begun=$SECONDS
    shift
    nodes=$("$@" 2>/dev/null | tr -d '\r' | awk '$2 == "nodes" { n = $1 } END { print n }')
    if [ "$nodes" = "$signature" ]; then
        echo "ok bench, $name: $nodes nodes ($((SECONDS - begun)) s)"
    else
        echo "not ok bench, $name: '$nodes' nodes, not $signature"
        failed=1
    fi
}

check "x86-64, gcc" "$2" bench
check "x86-64, clang" "$3" bench
check "Windows in wine" wine "$1/windows/castellan.exe" bench
check "ARM64 in qemu" qemu-aarch64 "$1/arm64/castellan" bench
check "WebAssembly in node, threads" node "$1/wasm/engine/castellan.js" bench
check "WebAssembly in node, one thread" env CASTELLAN_WASM=single node "$1/wasm/engine/castellan.js" bench
exit $failed
