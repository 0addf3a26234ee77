#!/bin/bash
# castellan match against the real binary: itself in and out of process, by both protocols, programs
# that crash, hang, play illegally or do not start, resuming after Ctrl-C and after a kill.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"
tested=match

games_in() { # FILE
    grep -c '^\[Result ' "$1"
}

fake() { # NAME WHAT_TO_DO_ON_GO
    cat >"$1" <<END
#!/bin/sh
while read -r line; do
    case \$line in
    uci) echo "id name $1"; echo uciok ;;
    isready) echo readyok ;;
    go*) $2 ;;
    quit) exit 0 ;;
    esac
done
END
    chmod +x "$1"
}

fake crash 'kill -SEGV $$'
fake hang 'sleep 50'
fake illegal 'echo bestmove h1h8'
fake nonsense 'echo bestmove; echo readyok'
fake mute ':'

own="cmd=$CASTELLAN"
fast="--nodes 100 --max-moves 20 --hash 1"

# shellcheck disable=SC2086
run 0 castellan castellan $fast --games 4 --concurrency 2 --pgn own.pgn &&
    said '^castellan [0-9]+ - [0-9]+ - [0-9]+ castellan-2  \(won - lost - drawn, 4 games\)$' out &&
    said '^pairs 0 to 2 points: \[0, 0, 2, 0, 0\]$' out && said '^Elo .* LOS' out &&
    [ "$(games_in own.pgn)" = 4 ] && said '\{[+-][0-9.]+/[0-9]+ [0-9.]+s' own.pgn &&
    "$CASTELLAN" pgn own.pgn >out && said '^4 games, [0-9]+ moves, 0 errors$' out
result $? "match plays itself and writes PGN that reads back"

# shellcheck disable=SC2086
run 0 "$own,arg=uci,name=U" "$own,arg=xboard,proto=xboard,name=X,depth=2" $fast --games 2 &&
    said '^U .* X ' out && ! grep -q lost <(tail -n +2 out)
result $? "match plays itself over both protocols"

run 0 "$own,arg=uci,name=U" "castellan,name=I" --tc 0.3+0.02 --games 2 --max-moves 10 \
    --timemargin 500 && said '^U .* I .*2 games' out
result $? "match keeps clocks"

for kind in crash hang illegal nonsense mute; do
    # shellcheck disable=SC2086
    run 0 castellan cmd=./$kind $fast --games 2 --hang 1 --concurrency 2 --pgn $kind.pgn &&
        said "^castellan 2 - 0 - 0 $kind" out && said "^game 2: $kind: White" out &&
        [ "$(games_in $kind.pgn)" = 2 ]
    result $? "match survives a program that is $kind"
done
pgrep -f "$work" >left
[ ! -s left ]
result $? "match leaves no program behind"

# shellcheck disable=SC2086
run 1 castellan cmd=./not-there $fast && said '^castellan: match: not-there: ' err &&
    run 1 castellan "castellan,option.Nonsense=1" $fast && run 1 castellan cmd=/bin/true $fast &&
    run 1 castellan castellan $fast --openings missing.epd && said 'missing.epd' err
result $? "match tells what cannot start"

# shellcheck disable=SC2086
run 2 && run 2 castellan && run 2 castellan castellan && run 2 castellan castellan --tc fast && run 2 castellan "x=1" $fast &&
    run 2 castellan castellan $fast --sprt 5,1 && run 2 castellan castellan $fast --resume
result $? "match refuses bad usage"

# shellcheck disable=SC2086
run 0 "castellan,name=A" "castellan,name=B,depth=1" "castellan,name=C,depth=1" $fast --games 2 &&
    said '^  1  A' out && said '6 of 6 games' out
result $? "match plays round robin with a table"

# Ctrl-C keeps what was finished, as SIGTERM does (a shell starts what runs in the background with SIGINT
# ignored); --resume plays the rest, each game once.
many="--nodes 300 --max-moves 30 --hash 1 --games 160 --pgn many.pgn"
# shellcheck disable=SC2086
"$CASTELLAN" match castellan castellan,name=B,nodes=250 $many >out 2>err &
playing=$!
for _ in {1..6000}; do
    [ -s many.pgn ] && [ "$(games_in many.pgn)" -gt 2 ] && break
    sleep 0.01
done
kill -TERM $playing
wait $playing
before=$(games_in many.pgn)
[ "$before" -gt 2 ] && [ "$before" -lt 160 ]
result $? "match ends at SIGTERM, in the middle"
# shellcheck disable=SC2086
run 0 castellan castellan,name=B,nodes=250 $many --resume && said '160 games' out &&
    [ "$(games_in many.pgn)" = 160 ] && [ "$(grep '^game ' many.pgn.state | cut -d' ' -f2 | sort -u | wc -l)" = 160 ]
result $? "match goes on after Ctrl-C"

rm -f many.pgn*
for pause in 0.2 0.4 0.3 0.5; do
    # shellcheck disable=SC2086
    timeout --signal=KILL $pause "$CASTELLAN" match castellan castellan,name=B,nodes=250 $many \
        --resume --concurrency 2 >out 2>err
done 2>/dev/null # the shell's own word about each kill
# shellcheck disable=SC2086
run 0 castellan castellan,name=B,nodes=250 $many --resume && said '160 games' out &&
    "$CASTELLAN" pgn many.pgn >out && said '^160 games, [0-9]+ moves, 0 errors$' out
result $? "match goes on after kills"

"$CASTELLAN" match castellan castellan,name=B --movetime 300 --games 9 --state busy.state \
    >/dev/null 2>&1 &
until_true [ -s busy.state ]
run 1 castellan castellan,name=B --movetime 300 --games 9 --state busy.state --resume &&
    said 'locked by another match' err
result $? "match does not share its state"
kill $! && wait $! 2>/dev/null

"$CASTELLAN" match castellan castellan,name=B --movetime 300 --games 9 --pgn busy.pgn \
    >/dev/null 2>&1 &
until_true [ -e busy.pgn ]
run 1 castellan castellan,name=B --nodes 50 --games 2 --pgn busy.pgn --state other.state &&
    said 'locked by another match' err
result $? "match does not share its games"
kill $! && wait $! 2>/dev/null

run 1 castellan castellan,name=B --nodes 50 --games 2 --pgn /dev/full && said 'No space left' err &&
    run 0 castellan castellan,name=B --nodes 50 --games 2 --pgn /dev/null
result $? "match writes games to a device, and says when it is full"

# shellcheck disable=SC2086
run 1 castellan castellan,name=B,nodes=250 $many && said 'resume' err &&
    run 1 castellan castellan,name=B,nodes=99 $many --resume && said 'another match' err
result $? "match does not mix matches"
