#!/bin/bash
# The program on another platform: version, protocols, files, processes.
. "$(dirname "$0")/../app/harness.bash"

run 0 --version && said '^Castellan [0-9]' && said "^kernels: ${KERNELS:-.+}\$"
result $? "version and kernels"

printf 'uci\r\nisready\r\nposition startpos moves e2e4\r\ngo nodes 2000\r\n' >lines
{ cat lines; sleep 5; printf 'quit\r\n'; } | timeout 120 "$CASTELLAN" uci >out 2>err
said '^uciok' && said '^readyok' && said '^bestmove [a-h][1-8][a-h][1-8]'
result $? "uci with CRLF lines"
