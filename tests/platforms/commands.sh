#!/bin/bash
# The program on another platform: version, protocols, terminal, files, other programs, Ctrl-C.
#
#   CASTELLAN=command OTHER=program [KERNELS=name] commands.sh
. "$(dirname "$0")/../app/harness.bash"
limit='--max-moves 6'

run 0 --version && said '^Castellan [0-9]' && said "^kernels: ${KERNELS:-.+}\$" && said 'left out'
result $? "version, kernels and what is left out"

run 1 web --no-open && said 'not available|built without' err
result $? "castellan web says that it is left out"

# Emulators start slowly: what follows is sent when the answer to what came before is there.
until_said() { # PATTERN FILE
    local i
    for ((i = 0; i < 300; i++)); do grep -qsE -- "$1" "$2" && return; sleep 0.2; done
}

rm -f out
{
    printf 'uci\r\nisready\r\nposition startpos moves e2e4\r\ngo nodes 2000\r\n'
    until_said '^bestmove' out
    printf 'quit\r\n'
} | timeout 120 "$CASTELLAN" uci >out 2>err
said '^uciok' && said '^readyok' && said '^bestmove [a-h][1-8][a-h][1-8]' && ! grep -q $'\r' out
result $? "uci with CRLF lines"

rm -f out
{
    printf 'xboard\nprotover 2\nnew\nst 1\ne2e4\n'
    until_said '^move' out
    printf 'quit\n'
} | timeout 120 "$CASTELLAN" xboard >out 2>err
said '^feature .*done=1' && said '^move [a-h][1-8][a-h][1-8]'
result $? "xboard"

printf 'e4\r\nboard\r\nquit\r\n' | timeout 120 "$CASTELLAN" play --plain --no-save --level 1 >out 2>err
said 'Castellan plays 1\.\.\.' && said '^ 4  \. \. \. \. P'
result $? "a game in the terminal, text lines"

printf '[Event "Prüfung"]\r\n[Result "1-0"]\r\n\r\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\r\n' >'Schöne Partie é.pgn'
run 0 analyse 'Schöne Partie é.pgn' --nodes 200 -o 'Prüfung ♞.pgn' && said 'Prüfung' 'Prüfung ♞.pgn' &&
    said 'Qxf7#' 'Prüfung ♞.pgn' && run 0 analyse 'Schöne Partie é.pgn' --nodes 200 -o 'Prüfung ♞.pgn'
result $? "file names in UTF-8, a file replaced"

run 0 match castellan "cmd=$OTHER,arg=uci,name=other" --games 2 --nodes 200 $limit --pgn games.pgn &&
    [ "$(grep -c '^\[Event ' games.pgn)" = 2 ] && said 'White "other"' games.pgn && ! grep -qE 'crash|hang|disconnect' out
result $? "a match with another process"

run 1 match castellan "cmd=no-such-program-here" --games 2 --nodes 200
# In qemu the start seems to succeed, and the failure is seen when the program has ended.
missing='cannot start .*no-such-program-here'
[[ $OTHER == *.exe ]] || missing+='|no-such-program-here: ended'
said "$missing" err
result $? "a program that is not there"

env --default-signal=INT "$CASTELLAN" selfplay --out data --games 100000 --nodes 500 --threads 1 >out 2>err </dev/null &
pid=$!
for ((i = 0; i < 300; i++)); do [ -n "$(ls data 2>/dev/null)" ] && break; sleep 0.2; done
kill -INT $pid
for ((i = 0; i < 100; i++)); do kill -0 $pid 2>/dev/null || break; sleep 0.2; done
kill -KILL $pid 2>/dev/null && why="still running after 20 s"
wait $pid
[ $? = 1 ] && said 'interrupted' err && run 0 data --check data
result $? "Ctrl-C ends long work in order"
