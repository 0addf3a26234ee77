#!/bin/bash
# castellan evolve: a tiny evolution, killed and resumed, comes to the same end; the picture; wrong input.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"

tiny=(evolve --depth 1 --population 4 --generations 30 --seed 3)
run 0 "${tiny[@]}" --state whole --svg whole.svg --prove 4 && cp out whole.out &&
    said '^material +100 +[0-9]+ ' && said '^against the initial weights, 4 games: ' &&
    said '^The adaptive program, 2011: generation [0-9]+, [0-9]+ games, ' &&
    said '^<svg ' whole.svg && said '</svg>' whole.svg && said '>mobility<' whole.svg
result $? "evolve breeds weights and draws them"

# Killed whenever it has got somewhere, again and again.
"$CASTELLAN" "${tiny[@]}" --state killed >out 2>err </dev/null &
victim=$!
for _ in 1 2 3; do
    until_true [ -s killed ]
    sleep 0.05
    kill -9 "$victim" 2>/dev/null
    wait "$victim" 2>/dev/null
    "$CASTELLAN" "${tiny[@]}" --state killed --resume >out 2>err </dev/null &
    victim=$!
done
wait "$victim" && cmp -s whole killed || why="another end than without the kills"
[ -z "$why" ]
result $? "evolve goes on after a kill to the same end"

run 2 "${tiny[@]}" --state whole && said 'whole already exists' err && cmp -s whole killed &&
    run 2 evolve --evaluator nobody && said "unknown evaluator 'nobody'" err &&
    run 2 evolve --games 3 && said 'even' err && run 2 evolve --resume && said '--state FILE' err &&
    run 1 evolve --resume --state missing && said 'missing' err &&
    run 1 "${tiny[@]}" --state whole --resume --evaluator kanji && said 'whole: state of an evolution of adaptive' err &&
    head -c 100 whole >cut && run 1 evolve --resume --state cut && said 'cut: .*damaged' err &&
    [ "$(wc -c <cut)" = 100 ] && run 1 "${tiny[@]}" --state no/such/folder
result $? "evolve refuses what is wrong"

run 0 evolve --evaluator mantis --nodes 200 --population 2 --generations 1 && said '^far-from-king +1 ' &&
    run 0 evolve --evaluator kanji --nodes 100 --population 2 --generations 1 && said '^tables +100 '
result $? "evolve takes other evaluators"
# The weights that were found are played; with --plain the loser's slot takes the winner unchanged.
run 0 "${tiny[@]}" --generations 2 --weights found.txt && said '^evaluator adaptive$' found.txt &&
    said '^centre [0-9]+$' found.txt && [ "$(wc -l <found.txt)" = 5 ] &&
    run 0 match opponent=adaptive,weights=found.txt,name=A opponent=adaptive,name=B --depth 1 --games 2 --max-moves 10 &&
    said '^A [0-9]+ - [0-9]+ - [0-9]+ B .*2 games' && echo 'material 100' >broken.txt &&
    run 2 match opponent=adaptive,weights=broken.txt castellan --depth 1 && said "broken.txt: 'material 100' is not 'evaluator adaptive'" err &&
    run 0 "${tiny[@]}" --generations 3 --plain --state plain && run 0 "${tiny[@]}" --generations 3 --state mutated &&
    ! cmp -s plain mutated && [ "$(tail -n 5 plain | grep '^person' | sort -u | wc -l)" -lt "$(tail -n 5 mutated | grep '^person' | sort -u | wc -l)" ]
result $? "evolve writes weights, and takes plain copies"
exit 0
