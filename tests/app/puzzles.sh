#!/bin/bash
# castellan puzzles: one winning move, the same on any number of threads, and clear messages.
CASTELLAN=$(realpath "${CASTELLAN:-./castellan}")
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/app/harness.bash
. "$here/harness.bash"
tested=puzzles

legal='1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0'
printf '[White "A \\"B\\"; C"]\n[Black "D"]\n[Result "1-0"]\n\n%s\n\n' "$legal" >games.pgn
printf '[White "E"]\n[Black "F"]\n[Result "1-0"]\n\n%s\n\n[White "G"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n' "$legal" >>games.pgn

run 0 games.pgn -o one.epd --threads 1 --nodes 3000 && said '^2 puzzles from 3 games, 0 errors$' &&
    said 'bm Bxf7\+; pv Bxf7\+ Ke7 Nd5#; id "game 1, move 6: .*"; c0 "mate.*"; c1 "rating [0-9]+";$' one.epd
result $? "a puzzle has its move, solution, themes and rating"
run 0 games.pgn -o two.epd --threads 2 --nodes 3000 && cmp -s one.epd two.epd
result $? "puzzles are the same on any number of threads"
"$CASTELLAN" epd one.epd --nodes 5000 >out 2>err && said 'solved 2 of 2'
result $? "castellan epd reads the puzzles"
printf '\n[White "X"]\n\n1. e5 *\n' >>games.pgn
run 1 games.pgn -o three.epd --nodes 3000 && cmp -s one.epd three.epd && said 'e5' err
result $? "an invalid game is reported and skipped"
complains 2 'games.pgn' games.pgn -o games.pgn
result $? "puzzles refuses to overwrite its source"
complains 1 'missing.pgn' missing.pgn && complains 2 'nodes' games.pgn --nodes 1
result $? "puzzles names a missing file and a bad value"
