#!/bin/bash
# castellan data against the real binary: report, check, merge, shuffle, split; damaged files.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"
tested=data

"$CASTELLAN" selfplay --out games --games 24 --nodes 50 --threads 2 --hash 1 >out 2>err ||
    { echo "not ok data: no games to test with"; exit 1; }

tail_has() { # DIR BYTES
    [ "$(cat "$1"/*.tail | wc -c)" -ge "$2" ]
}

# A shell starts what runs in the background with SIGINT ignored; SIGTERM is answered alike.
"$CASTELLAN" selfplay --out more --games 99999 --nodes 50 --threads 2 --hash 1 >out1 2>err1 &
first=$!
until_true tail_has more 2000
kill -TERM $first
! wait $first && said 'selfplay: interrupted' err1 && said 'games, [0-9]+ positions in more' out1 &&
    ! "$CASTELLAN" selfplay --out games --games 30 --nodes 51 --threads 2 --hash 1 >out 2>err &&
    said 'games was created with different options: nodes 50, ' err
result $? "selfplay resumes with the same options only, and reports an interrupt"

"$CASTELLAN" selfplay --out random --games 24 --nodes 50 --threads 2 --hash 1 --random-moves 30 >out 2>err &&
    ! cmp -s games/games-1-000-of-002.cgd random/games-1-000-of-002.cgd &&
    run 0 random && said 'made with .*random moves 30' &&
    ! "$CASTELLAN" selfplay --out random --games 30 --nodes 50 --threads 2 --hash 1 >out 2>err
result $? "selfplay plays random moves, and keeps their share when it resumes"

run 0 games && said '^2 files, 24 games, [0-9]+ positions, [0-9.]+ bytes per position$' &&
    said '^duplicates   0 games' && said '^ +600 cp ahead won' && said '^    \+0 '
result $? "data reports on games"
positions=$(grep -oE '[0-9]+ positions' out | head -n 1)

run 0 games --check && said '^24 games, .* 0 damaged files$' && [ "$(grep -c ': ok$' out)" = 2 ]
result $? "data checks files"

run 0 wdl games && said '^24 games, [0-9]+ positions; log loss [0-9.]+, with' &&
    said '^with 78 points left +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$' && said '^\.a = \{-?[0-9.]+, ' &&
    run 2 wdl && said 'missing FILE' err && run 1 wdl nothing-here && run 1 wdl games /dev/null
result $? "data fits what scores are worth"

run 0 merge all.cgd games && run 0 all.cgd && said "^1 files, 24 games, $positions" &&
    run 0 merge twice.cgd games all.cgd && run 0 twice.cgd && said '^duplicates   24 games' &&
    run 0 merge once.cgd twice.cgd --unique && said '24 duplicates skipped' &&
    run 0 once.cgd && said "^1 files, 24 games, $positions"
result $? "data merges, and leaves out duplicates"

run 0 shuffle s1.cgd games --seed 7 && run 0 shuffle s2.cgd games --seed 7 &&
    run 0 shuffle s3.cgd games --seed 8 && cmp -s s1.cgd s2.cgd && ! cmp -s s1.cgd s3.cgd &&
    run 0 s1.cgd && said "^1 files, 24 games, $positions" &&
    run 0 merge proof.cgd s1.cgd all.cgd --unique && said '^24 games \(24 duplicates'
result $? "data shuffles by the seed and loses nothing"

run 0 split part games --parts 5 && run 0 part-*.cgd && said "^5 files, 24 games, $positions" &&
    said '^duplicates   0 games'
result $? "data splits"

run 1 merge all.cgd games && grep -q 'all.cgd already exists' err
result $? "data does not write over files"

cp all.cgd cut.cgd
truncate -s -7 cut.cgd
run 0 --check cut.cgd && said 'incomplete block'
result $? "data tells of a file that a kill left"

cp all.cgd bad.cgd
printf 'xyz' | dd of=bad.cgd bs=1 seek=200 conv=notrunc 2>/dev/null
run 1 --check bad.cgd s1.cgd && said '^bad.cgd: 1 damaged blocks' && said '^s1.cgd: ok$' &&
    run 0 merge rest.cgd bad.cgd s1.cgd && said '^24 games in rest.cgd' && said '^1 damaged blocks skipped'
result $? "data skips damaged blocks and counts them"

printf 'not games at all, but long enough' >text.cgd
run 1 text.cgd && grep -q 'not a file of games' err && run 1 nothing-here && run 2 &&
    run 2 merge x.cgd && run 2 split x games
result $? "data refuses what is no data, and bad usage"

args=(selfplay --out held --games 99999 --nodes 100 --threads 2 --hash 1 --seed 5)
"$CASTELLAN" "${args[@]}" >out1 2>err1 &
first=$!
until_true tail_has held 20000
! "$CASTELLAN" "${args[@]}" >out 2>err && said "locked by process $first" err && kill -TERM $first &&
    { wait $first || true; } && games=$(sed -n 's/^\([1-9][0-9]*\) games, .*/\1/p' out1) && [ -n "$games" ] &&
    run 0 held --check && said "^$games games, .* 0 damaged files\$"
result $? "selfplay refuses a second writer, and the first one loses nothing"

"$CASTELLAN" selfplay --out two --games 400 --nodes 100 --threads 2 --hash 1 --seed 5 >out 2>err

"$CASTELLAN" data shuffle same.cgd two >out1 2>err1 &
first=$!
"$CASTELLAN" data shuffle same.cgd two >out2 2>err2
second=$?
wait $first
[ $((second + $?)) = 1 ] && cat err1 err2 >err && said 'same.cgd already exists' err &&
    run 0 same.cgd && said '^1 files, 400 games' && said '^duplicates   0 games' &&
    [ -z "$(find . -name 'same.cgd.*')" ]
result $? "data shuffle twice to one file: one succeeds, the other leaves nothing"

run 0 pack two games --out packed --size 1M && said '^424 games in packed' && run 0 packed &&
    said '^made with    nodes 100, ' && said '^made with    nodes 50, ' && said '^labels +[1-9]' &&
    said '^1 files, 424 games' && [ "$(stat -c %s packed/packed-001.cgd)" -lt 1048576 ] &&
    run 1 pack two --out packed && said 'packed-001.cgd already exists' err &&
    run 2 pack two --out x --size 5K && said 'at least 1M' err && run 2 pack two && said 'missing --out' err
result $? "data packs games and their provenance"

"$CASTELLAN" selfplay --out tail --games 9999 --nodes 100 --threads 1 --hash 1 >out 2>err &
pid=$!
until_true tail_has tail 5000
kill -9 $pid && wait $pid 2>/dev/null
run 0 tail && said '^1 files, [1-9][0-9]* games'
result $? "data reads the games that a killed run left in a tail"
