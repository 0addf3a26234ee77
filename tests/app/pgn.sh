#!/bin/bash
# castellan pgn against the real binary: counts, messages, exit codes, clean output, hostile input.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"
tested=pgn

cat >two.pgn <<'END'
[Event "first"]
[Result "1-0"]

1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {a comment} 1-0

[Event "second"]

1.d4 d5 2.c4 1/2-1/2
END
cat >broken.pgn <<'END'
[Event "good"]

1. e4 e5 *

[Event "bad"]

1. e4 e5 2. Ke3 *

[Event "good again"]

1. d4 *
END

run 0 two.pgn && same out "2 games, 6 moves, 0 errors" && same err ""
result $? "pgn counts games and moves"

run 1 broken.pgn && same out "2 games, 3 moves, 1 errors" &&
    same err 'castellan: pgn: broken.pgn:7: "Ke3" is not legal here'
result $? "pgn reports a broken game with file and line, and reads on"

run 1 two.pgn broken.pgn && same out "4 games, 9 moves, 1 errors"
result $? "pgn reads several files"

timeout 60 "$CASTELLAN" pgn - <two.pgn >out 2>err && same out "2 games, 6 moves, 0 errors"
result $? "pgn reads standard input"

run 1 missing.pgn && same err "castellan: pgn: missing.pgn: No such file or directory"
result $? "pgn tells of a missing file"

run 1 . && same err "castellan: pgn: .: Is a directory"
result $? "pgn tells of a directory"

run 2 && run 2 --fens --clean two.pgn && run 2 --nonsense two.pgn
result $? "pgn refuses bad usage"

run 0 --help && grep -q '^usage: castellan pgn' out
result $? "pgn --help"

: >empty.pgn
run 0 empty.pgn && same out "0 games, 0 moves, 0 errors"
result $? "pgn reads an empty file"

run 0 --fens two.pgn && same err "2 games, 6 moves, 0 errors" && [ "$(wc -l <out)" = 8 ] &&
    [ "$(sed -n 4p out)" = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2" ]
result $? "pgn --fens prints the positions of the main lines"

run 1 --fens broken.pgn && [ "$(wc -l <out)" = 5 ]
result $? "pgn --fens leaves broken games out"

run 0 --clean two.pgn && cp out once.pgn && same err "2 games, 6 moves, 0 errors" &&
    grep -q '^1\. e4 e5 (1\.\.\. c5 2\. Nf3) 2\. Nf3 {a comment} 1-0$' once.pgn &&
    [ "$(head -n 7 once.pgn | cut -d' ' -f1 | tr -d '\n')" = \
        "[Event[Site[Date[Round[White[Black[Result" ] &&
    run 0 --clean once.pgn && cmp -s out once.pgn
result $? "pgn --clean writes export format, and nothing changes the second time"

printf '\xef\xbb\xbf[White "M\xfcller"]\r\n\r\n1. e4 0-1\r\n' >latin.pgn
run 0 --clean latin.pgn && grep -q $'^\\[White "M\xc3\xbcller"\\]$' out
result $? "pgn --clean turns Latin-1 into UTF-8"

# -- Hostile files: an answer, and no crash --

hostile() { # NAME FILE WANTED_LAST_LINE
    timeout 60 "$CASTELLAN" pgn "$2" >out 2>err
    status=$?
    [ $status -le 1 ] || why="exit code $status"
    [ $status -le 1 ] && same out "$3"
    result $? "pgn survives $1"
    timeout 60 "$CASTELLAN" pgn --clean "$2" >out 2>err
    status=$?
    [ $status -le 1 ] || why="exit code $status"
    result $((status > 1)) "pgn --clean survives $1"
}

repeat() { # TIMES TEXT
    awk -v n="$1" -v text="$2" 'BEGIN { while (n--) printf "%s", text }'
}

{
    printf '1. Nf3 '
    repeat 10000 '(1. Nc3 '
    repeat 10000 ')'
    printf ' *\n'
    cat two.pgn
} >nested.pgn
hostile "10,000 nested variations" nested.pgn "2 games, 6 moves, 1 errors"
grep -q '^castellan: pgn: nested.pgn:1: variations nested more than 1000 deep$' err
result $? "pgn says what is wrong with nested variations"

repeat 50000 '1. Nf3 Nf6 1/2-1/2 ' >line.pgn
hostile "a line of a megabyte" line.pgn "50000 games, 100000 moves, 0 errors"

{ printf '[Event "'; repeat 200000 '0123456789'; printf '"]\n1. e4 *\n'; cat two.pgn; } >value.pgn
hostile "a tag of two megabytes" value.pgn "2 games, 6 moves, 1 errors"

{ printf '1. e4 {'; repeat 200000 '0123456789'; printf '} *\n'; cat two.pgn; } >comment.pgn
hostile "a comment of two megabytes" comment.pgn "2 games, 6 moves, 1 errors"

repeat 1000000 '(' >brackets.pgn
hostile "a megabyte of brackets" brackets.pgn "0 games, 0 moves, 1 errors"

head -c 1000000 /dev/zero >zeros.pgn
hostile "a megabyte of zeros" zeros.pgn "0 games, 0 moves, 1 errors"

failed=0
size=$(wc -c <two.pgn)
for ((i = 0; i < size; i += 7)); do
    head -c $i two.pgn >cut.pgn
    timeout 60 "$CASTELLAN" pgn --clean cut.pgn >out 2>err
    [ $? -le 1 ] || failed=1
done
result $failed "pgn survives truncated files"

failed=0
for seed in 1 2 3 4 5 6 7 8; do
    awk -v seed=$seed 'BEGIN { srand(seed); for (i = 0; i < 40000; i++)
        printf "%c", 1 + int(rand() * 255) }' >random.pgn
    timeout 60 "$CASTELLAN" pgn --clean random.pgn >out 2>err
    [ $? -le 1 ] || failed=1
done
result $failed "pgn survives random bytes"

# -- Interrupted --

: >out
repeat 20000000 '1. e4 e5 1-0\n' | "$CASTELLAN" pgn --clean - >out 2>err &
pid=$!
# It is at work when it has written something.
for _ in $(seq 200); do
    [ -s out ] && break
    sleep 0.1
done
kill -TERM $pid
wait $pid
status=$?
if [ $status != 1 ]; then
    why="exit code $status, not 1"
elif ! grep -qE '^[0-9]+ games, [0-9]+ moves, 0 errors$' err; then
    why="stderr is '$(head -c 300 err)'"
elif [ "$(tail -n 2 out)" != "1. e4 e5 1-0" ] ||
    [ "$(grep -c '^\[Event' out)" != "$(tail -n 1 err | sed 's/ .*//')" ]; then
    why="the output is not whole: $(tail -n 3 out)"
fi
result "$([ -z "$why" ]; echo $?)" "pgn keeps what was finished when it is interrupted"

# Sanitizers reserve more address space than any limit leaves them.
if grep -q __asan_init "$CASTELLAN" || grep -q __tsan_init "$CASTELLAN"; then
    echo "skip pgn reads 50 MB in little memory: the binary is instrumented"
else
    repeat 800000 '1. e4 e5 2. Nf3 {a comment} Nc6 3. Bb5 (3. Bc4 Bc5) a6 1/2-1/2\n' |
        (ulimit -v 65536 && timeout 60 "$CASTELLAN" pgn -) >out 2>err &&
        same out "800000 games, 4800000 moves, 0 errors"
    result $? "pgn reads 50 MB in little memory"
fi
# The four FENs that ChessBin's guide prints, with the en passant square after every double step.
printf '1. e4 c5 2. Nf3 *\n' >guide.pgn
run 0 guide.pgn --fens --every-ep &&
    same out "$(printf '%s\n' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' \
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1' \
        'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2' \
        'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2')" &&
    run 0 guide.pgn --fens && ! grep -qE ' (e3|c6) ' out
result $? 'pgn writes en passant squares in both forms'
