#!/bin/bash
# castellan rescore against the real binary: the same games, some scores, resumed after a kill, bad input.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"
tested=rescore

report() { # DIR
    "$CASTELLAN" data "$1" >report 2>err || { why="no report on $1: $(head -c 300 err)"; return 1; }
}

"$CASTELLAN" selfplay --out games --games 20 --nodes 60 --threads 2 --hash 1 >out 2>err ||
    { echo "not ok rescore: no games to test with"; exit 1; }
report games
positions=$(grep -oE '[0-9]+ positions' report | head -n 1)

locks_a_file() { # PID
    ls -l "/proc/$1/fd" 2>/dev/null | grep -q '/held/.*\.cgd$'
}

words=(--data games --nodes 100 --every 3 --threads 2 --hash 1)
run 0 "${words[@]}" --out scored && grep -qE '^20 games with [1-9][0-9]* scores in scored' out &&
    report scored && grep -qE "^2 files, 20 games, $positions" report &&
    grep -qE '[5-9][0-9]\.[0-9] % without one' report
result $? "rescore keeps the games and scores some of their positions"

run 0 "${words[@]}" --out again && cat scored/*.cgd >one && cat again/*.cgd >two && cmp -s one two
result $? "rescore gives the same for the same words"

timeout -s KILL 0.4 "$CASTELLAN" rescore "${words[@]}" --nodes 2000 --out killed >out 2>err
timeout -s INT 0.4 "$CASTELLAN" rescore "${words[@]}" --nodes 2000 --out killed >out 2>err
run 0 "${words[@]}" --nodes 2000 --out killed && grep -q '^20 games with' out &&
    run 0 "${words[@]}" --nodes 2000 --out whole && grep -o '[0-9]* scores in' out >want &&
    run 0 "${words[@]}" --nodes 2000 --out killed && grep -o '[0-9]* scores in' out >have &&
    cmp -s want have
result $? "rescore goes on after a kill and after an interrupt"

args=("${words[@]}" --nodes 200000 --out held)
"$CASTELLAN" rescore "${args[@]}" >out1 2>err1 &
first=$!
until_true locks_a_file $first
! "$CASTELLAN" rescore "${args[@]}" >out 2>err && said "locked by process $first" err && kill -TERM $first &&
    ! wait $first && said 'interrupted' err1
result $? "rescore refuses a second writer"

run 1 "${words[@]}" --out scored --nodes 101 && said 'different options: nodes 100, disable_lmp, every 3' err &&
    cp -r games others && run 1 "${words[@]}" --data others --out scored && said 'different options' err
result $? "rescore resumes with the same options only"

"$CASTELLAN" train --data scored --out net --hidden 64 --epochs 1 --threads 1 --val 0 >out 2>err &&
    [ -s net ]
result $? "a net learns from rescored games"

run 2 && run 2 --data games && run 1 --data nothing-here --out x && mkdir empty &&
    run 1 --data empty --out x && grep -q 'no data files' err && run 2 "${words[@]}" --out x --every 0
result $? "rescore refuses bad usage and games that are not there"

printf 'not games at all, but long enough' >text.cgd
run 1 --data text.cgd --out y && grep -q 'text.cgd' err
result $? "rescore refuses what is no data"
