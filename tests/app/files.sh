#!/bin/bash
# Where commands write: links, pipes and rights are kept, no output takes the place of its own input, and what cannot be
# written is told; and a program whose standard files are closed or full.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"

printf '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n' >games.pgn
printf '0 0 0 classical\n1 30 20 first\n' >table
printf 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n' >start.epd
ln -s /dev/full full

mkfifo pipe
cat pipe >piped &
run 0 analyse games.pgn --nodes 50 -o pipe
code=$?
wait
[ $code = 0 ] && [ -p pipe ] && said 'Qxf7#' piped &&
    { cat pipe >piped & run 0 net elo table -o pipe; } && wait && [ -p pipe ] && said '</svg>' piped
result $? "an output that is a pipe is written into"

run 0 analyse games.pgn --nodes 50 -o real.pgn && ln -s real.pgn link.pgn && ln -s real.svg link.svg && : >real.svg &&
    run 0 analyse games.pgn --nodes 60 -o link.pgn && [ -L link.pgn ] && said 'Qxf7#' real.pgn &&
    run 0 net elo table -o link.svg && [ -L link.svg ] && said '</svg>' real.svg
result $? "an output that is a link stays one"

run 1 analyse games.pgn --nodes 50 --html full -o other.pgn && said 'full: No space' err && [ -L full ] &&
    run 1 net elo table -o full && said 'full: No space' err && [ -L full ]
result $? "a full disk is told, whatever leads to it"

(umask 077 && run 0 net elo table -o mine.svg) && [ "$(stat -c %a mine.svg)" = 600 ] &&
    chmod 640 mine.svg && run 0 net elo table -o mine.svg && [ "$(stat -c %a mine.svg)" = 640 ]
result $? "new files have the rights that the user gives, old ones keep theirs"

mkdir data
"$CASTELLAN" selfplay --out data --games 2 --nodes 20 --threads 1 --hash 1 >out 2>err
cp data/*.cgd one.cgd
cp games.pgn table start.epd one.cgd data/
for words in 'book build games.pgn -o games.pgn' 'book weigh table -o table' 'net elo table -o table' \
    'train --data one.cgd --out one.cgd' 'lab --epd start.epd --svg start.epd' 'analyse games.pgn -o games.pgn' \
    'match castellan castellan --nodes 10 --openings games.pgn --pgn games.pgn'; do
    # shellcheck disable=SC2086 # words
    run 2 $words && said 'would overwrite' err || break
done && for f in games.pgn table start.epd one.cgd; do
    cmp -s $f data/$f || { why="$f was changed" && break; }
done && [ -z "$why" ]
result $? "no output takes the place of its own input"

run 2 train --data one.cgd --out net --hidden 65 && said '65 neurons' err &&
    run 2 train --data one.cgd --out net --buckets 3 && run 1 train --data one.cgd --out nowhere/net && said 'nowhere' err &&
    run 1 lab --svg nowhere/x.svg && said 'nowhere' err && [ ! -s out ]
result $? "what cannot be written is told before the work"

timeout 20 "$CASTELLAN" uci <&- >out 2>err && timeout 20 "$CASTELLAN" play --plain <&- >out 2>err &&
    timeout 20 "$CASTELLAN" <&- >out 2>err
result $? "a closed standard input is the end of it"

printf 'e4\nsave copy.pgn\nsave copy.pgn\nquit\n' | XDG_DATA_HOME=$work timeout 60 "$CASTELLAN" play --plain >out 2>err
said 'Saved in copy.pgn' && said 'copy.pgn already exists' && [ "$(grep -c '^\[Event ' copy.pgn)" = 1 ]
result $? "a game is not saved over another file"

why=''
for words in 'go depth 2' 'genfens 3 seed 1 book None'; do
    timeout 60 "$CASTELLAN" "$words" quit >/dev/full 2>err && why="'$words' on a full disk: exit code 0" && break
    said 'standard output: No space' err || break
done
[ -z "$why" ] && ! echo quit | timeout 60 "$CASTELLAN" play --plain >/dev/full 2>err && said 'No space' err
result $? "an answer that cannot be written is a failure"
