#!/bin/bash
# castellan analyse: annotated games in order, the same every time, kept on Ctrl-C, gone on with --resume.
set -uo pipefail
CASTELLAN=$(realpath "${CASTELLAN:-./castellan}")
root=$PWD
dir=$(mktemp -d)
trap 'cd / && rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failures=0

result() {
    if [ "$1" = 0 ]; then
        echo "ok $2"
    else
        echo "not ok $2: $(tail -c 200 err 2>/dev/null | tr '\n' ' ')"
        failures=$((failures + 1))
    fi
}

# run STATUS ARGS...: runs the command, wants that exit status, leaves out and err.
run() {
    local want=$1 got
    shift
    timeout 100 "$CASTELLAN" analyse "$@" >out 2>err </dev/null
    got=$?
    [ $got = "$want" ] || {
        echo "status $got, not $want" >>err
        return 1
    }
}

games=$root/tests/data/annotate.pgn
# Short games, many of them, so that their order can go wrong.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    printf '[Event "%d"]\n[Result "0-1"]\n\n1. f3 e5 {game %d} 2. g4 (2. e4 d5) Qh4# 0-1\n\n' $i $i
done >many.pgn

run 0 many.pgn --nodes 1000 --threads 3 -o a.pgn && grep -q '^12 games, 48 moves, 0 errors$' out
result $? "analyse tells what it did"
[ "$(grep -c '^\[Event' a.pgn)" = 12 ] &&
    [ "$(grep '^\[Event' a.pgn | tr -dc '0-9\n' | tr '\n' ' ')" = '1 2 3 4 5 6 7 8 9 10 11 12 ' ]
result $? "analyse keeps the order of the games"
tr '\n' ' ' <a.pgn | grep -q 'game 7} 2\. g4 \$4 {\[%eval #-1\] Blunder\. Allows mate in 1: 2\.\.\.Qh4#\.'
result $? "analyse marks the mistake, says why and keeps comments"
tr '\n' ' ' <a.pgn | grep -q '(2\. e4 d5'
result $? "analyse keeps variations"
[ ! -e a.pgn.part ] && [ ! -e a.pgn.resume ]
result $? "analyse leaves nothing beside its output"
"$CASTELLAN" pgn a.pgn >out 2>err && grep -q '^12 games, ' out
result $? "analyse writes what can be read again"

run 0 many.pgn --nodes 1000 --threads 1 && cmp -s out a.pgn
result $? "analyse gives the same on standard output with one thread"
run 0 a.pgn --nodes 1000 && cmp -s out a.pgn
result $? "analyse changes nothing in a game that it has annotated"
"$CASTELLAN" analyse - --nodes 1000 <many.pgn >out 2>err && cmp -s out a.pgn
result $? "analyse reads standard input"
run 0 many.pgn --depth 4 && run 0 many.pgn --movetime 2
result $? "analyse takes depth and time"

# Two runs over known games, verdicts and all.
if [ -r "$games" ]; then
    run 0 "$games" --nodes 500 -o x.pgn && run 0 "$games" --nodes 500 --threads 1 -o y.pgn --html y.html &&
        cmp -s x.pgn y.pgn && [ "$(grep -c '^\[Event' x.pgn)" = 16 ]
    result $? "analyse says the same of known games on a second run"
    [ "$(grep -c '<section' y.html)" = 16 ] && tail -1 y.html | grep -q '</html>' && ! grep -q 'src=' y.html &&
        [ "$(grep -o 'data-move=' y.html | wc -l)" = "$(grep -o '<span class="score">' y.html | wc -l)" ] &&
        grep -q 'data-words="Blunder\.' y.html
    result $? "analyse writes one page for the run"
fi

# Ctrl-C in the middle: what is finished stays, --resume does the rest.
run 0 many.pgn --nodes 20000 --threads 1 -o whole.pgn --html whole.html
"$CASTELLAN" analyse many.pgn --nodes 20000 --threads 1 -o part.pgn --html part.html >out 2>err </dev/null &
pid=$!
for ((i = 0; i < 3000; i++)); do
    [ -e part.pgn.resume ] && break
    kill -0 $pid 2>/dev/null || break
    sleep 0.02
done
# A shell starts what runs in the background with SIGINT ignored; SIGTERM is answered alike.
kill -TERM $pid 2>/dev/null
wait $pid
if [ $? = 1 ]; then
    kept=$(grep -c '^\[Event' part.pgn)
    grep -q "^castellan: analyse: interrupted after $kept games; --resume continues" err &&
        "$CASTELLAN" pgn part.pgn >out 2>>err && grep -q "^$kept games, .* 0 errors" out &&
        tail -1 part.html | grep -q '</html>' && [ -e part.pgn.resume ]
    result $? "analyse keeps whole games when it is interrupted"
    run 0 many.pgn --nodes 20000 --threads 1 -o part.pgn --html part.html --resume &&
        cmp -s part.pgn whole.pgn && cmp -s part.html whole.html && [ ! -e part.pgn.resume ]
    result $? "analyse --resume ends as one run would have"
else
    cmp -s part.pgn whole.pgn
    result $? "analyse was faster than the interruption"
fi

# Two runs to one file: the second is refused, the first, which waits for the end of its input, loses nothing.
mkfifo input
"$CASTELLAN" analyse - --nodes 20000 --threads 1 -o same.pgn <input >out1 2>err1 &
pid=$!
exec 5>input
cat many.pgn >&5
for ((i = 0; i < 3000; i++)); do
    [ -e same.pgn.part ] && break
    sleep 0.02
done
run 1 many.pgn --nodes 10 -o same.pgn && grep -q 'same.pgn: locked by another analysis' err
refused=$?
exec 5>&-
wait $pid && cmp -s same.pgn whole.pgn && [ $refused = 0 ]
result $? "analyse refuses a file that another one writes"

# The same with a state that a kill has left behind: half a game after it does not count.
run 0 many.pgn --nodes 1000 -o k.pgn
lines=$(grep -n '^\[Event "5"\]' k.pgn | cut -d: -f1)
head -n $((lines - 1)) k.pgn >k.pgn.part
bytes=$(wc -c <k.pgn.part)
head -n $((lines + 5)) k.pgn | tail -n 6 >>k.pgn.part
size=$(wc -c <many.pgn)
printf 'castellan analyse: source %d bytes, nodes 1000, depth 0, ms 0, hash 16, tables 0, page 0\ngames 4\npgn %d\nhtml 0\n' \
    "$size" "$bytes" >k.pgn.resume
mv k.pgn expected.pgn
run 0 many.pgn --nodes 1000 -o k.pgn --resume && cmp -s k.pgn expected.pgn &&
    grep -q '^8 games, 32 moves, 0 errors, 4 finished before$' out
result $? "analyse --resume goes on after a kill"
printf 'castellan analyse: something else\ngames 4\npgn 10\nhtml 0\n' >k.pgn.resume
run 1 many.pgn --nodes 1000 -o k.pgn --resume && grep -q 'different options' err && cmp -s k.pgn expected.pgn
result $? "analyse --resume refuses another run's state"
printf 'garbage' >k.pgn.resume
run 1 many.pgn --nodes 1000 -o k.pgn --resume && grep -q 'not a state file of analyse' err
result $? "analyse --resume refuses a broken state"

# What cannot be read or written.
printf '1. e4 e5 2. Ke3 *\n\n[Event "good"]\n\n1. d4 d5 *\n' >broken.pgn
run 1 broken.pgn --nodes 500 && grep -q '^castellan: analyse: broken.pgn:1: ' err && grep -q '"good"' out
result $? "analyse passes over a broken game and tells of it"
run 1 missing.pgn && grep -q '^castellan: analyse: missing.pgn' err
result $? "analyse tells of a missing file"
run 1 many.pgn --nodes 500 -o /nonexistent/x.pgn && grep -q '/nonexistent/x.pgn' err
result $? "analyse tells of an output that cannot be written"
if [ -w /dev/full ]; then
    "$CASTELLAN" analyse many.pgn --nodes 500 >/dev/full 2>err
    [ $? = 1 ] && grep -q 'standard output' err
    result $? "analyse notices a full disk"
fi
run 2 && run 2 many.pgn --nodes 5 --depth 3 && run 2 many.pgn --resume && run 2 many.pgn --nodes 0
result $? "analyse refuses what makes no sense"
cp many.pgn given.pgn && ln -s given.pgn other.pgn && run 2 given.pgn --nodes 5 -o ./given.pgn &&
    run 2 given.pgn --nodes 5 --html other.pgn && cmp -s many.pgn given.pgn
result $? "analyse never writes over the games it was given"
printf '[Variant "Chess960"]\n[FEN "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1"]\n\n1. e4 e5 2. Nf3 Nf6 3. O-O O-O *\n' >fischer.pgn
run 0 fischer.pgn --nodes 500 && grep -q 'Variant "Chess960"' out && tr '\n' ' ' <out | grep -q '3\. O-O'
result $? "analyse knows Chess960"
: >empty.pgn
run 0 empty.pgn -o e.pgn --html e.html && [ -e e.pgn ] && tail -1 e.html | grep -q '</html>'
result $? "analyse has nothing to say about nothing"
printf '[Date "1851.??.??"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n' >old.pgn
run 0 old.pgn --nodes 500 -o o.pgn --html o.html && grep -q '<p class="facts">1851' o.html && ! grep -q '1851\.?' o.html
result $? "the page tells of a date what is known"
printf '[Date "????.??.??"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n' >old.pgn
run 0 old.pgn --nodes 500 -o o.pgn --html o.html && ! grep -q '????' o.html
result $? "the page does not tell an unknown date"
printf 'no chess at all' >garbage.pgn
echo kept >g.pgn
run 1 garbage.pgn --nodes 500 -o g.pgn --html g.html && grep -q 'garbage.pgn: no game could be analysed' err &&
    [ "$(cat g.pgn)" = kept ] && [ ! -e g.html ] && [ ! -e g.pgn.part ] && [ ! -e g.html.part ]
result $? "analyse writes nothing where no game could be read"
[ $failures = 0 ]
