#!/bin/bash
# SIGTERM ends commands also while they read or wait for input: exit code 1 within seconds.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"

mkfifo pipe.pgn
exec 3<>pipe.pgn # a writer that never writes
printf '1. e4 e5 1-0\n' >game.pgn

# stops INPUT ARG...: the command, started with INPUT as standard input, ends in order after a signal.
stops() {
    local input=$1 pid status i
    shift
    "$CASTELLAN" "$@" <"$input" >out 2>err &
    pid=$!
    until_true takes_sigterm $pid || return 1
    sleep 0.2 # it reads, or waits for input
    kill -TERM $pid 2>/dev/null || { why="ended by itself: $(head -c 200 err)"; return 1; }
    for ((i = 0; i < 50; i++)); do
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    if kill -KILL $pid 2>/dev/null; then
        wait $pid 2>/dev/null
        why="still running after 5 s"
        return 1
    fi
    wait $pid
    status=$?
    [ $status = 1 ] && grep -q '^castellan: .*interrupted' err || {
        why="exit code $status: $(head -c 200 err)"
        return 1
    }
}

stops /dev/null pgn /dev/zero
result $? "pgn of an endless file"
stops pipe.pgn pgn -
result $? "pgn of a silent standard input"
stops /dev/null pgn pipe.pgn
result $? "pgn of a silent pipe"
stops pipe.pgn analyse - -o out.pgn && [ ! -e out.pgn ]
result $? "analyse of a silent standard input"
stops /dev/null book build pipe.pgn -o book.bin && [ ! -e book.bin ]
result $? "book build from a silent pipe"
stops /dev/null book build /dev/zero -o book.bin && [ ! -e book.bin ]
result $? "book build from an endless file"
stops /dev/null match castellan castellan --nodes 100 --games 2 --openings pipe.pgn
result $? "match with openings from a silent pipe"
stops /dev/null selfplay --out games --games 1000000 --nodes 500 --threads 1
result $? "selfplay"
