#!/bin/bash
# castellan javachess and castellan eval --evaluator against the real binary.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"

fen='r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1'
# shellcheck disable=SC2086 # the second time without quotes on purpose
run 0 javachess position board.txt "$fen" && [ ! -s out ] && said '^524288$' board.txt &&
    run 0 javachess position board.txt && [ "$(cat out)" = "$fen" ] &&
    run 0 javachess position again.txt $fen && cmp -s board.txt again.txt
result $? 'javachess writes and reads positions'

run 0 javachess book lines.txt 'e4 e5 Nf3 Nc6 Bb5' 'e4 c5' &&
    [ "$(cat lines.txt)" = "$(printf '2\n52 36 12 28 62 45 1 18 61 25 END\n52 36 10 26 END')" ] &&
    run 0 javachess book lines.txt && said '^e4 e5 Nf3 Nc6 Bb5$' && said '^2 lines, moves for 5 positions$' &&
    run 0 javachess book && said '^5 lines, moves for 38 positions$'
result $? 'javachess writes and reads books'

echo 'WHITE 1 WX 3' >bad.txt
head -c 5000 /dev/urandom >noise.txt
cp lines.txt kept.txt
complains 1 "bad.txt: 'WX' is not a piece" javachess position bad.txt &&
    complains 1 'noise.txt' javachess position noise.txt && complains 1 'noise.txt' javachess book noise.txt &&
    complains 1 'nowhere.txt' javachess book nowhere.txt && complains 1 'nowhere' javachess position nowhere/x "$fen" &&
    complains 1 'king' javachess position new.txt '8/8/8/8/8/8/8/8 w - - 0 1' && [ ! -e new.txt ] &&
    complains 1 'Nf6' javachess book lines.txt 'e4 Nf6 Nf6' && cmp -s lines.txt kept.txt &&
    complains 2 'missing subcommand: position or book' javachess && complains 2 'missing FILE' javachess position &&
    complains 2 'unknown subcommand .games.' javachess games x
result $? 'javachess refuses files of another kind'

run 0 eval --evaluator javachess '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' && said '^material +1.61 +0.00 +\+1.61$' &&
    said '^total +\+1.28$' && run 0 eval --evaluator CHESSBIN && said '^tempo +0.10 +0.00 +\+0.10$' &&
    said '^total +\+0.10$'
result $? 'eval tells the terms of the ancestors'

complains 2 "unknown evaluator 'nobody': .*javachess.*chessbin" eval --evaluator nobody &&
    complains 1 'king' eval --evaluator javachess '8/8/8/8/8/8/8/8 w - - 0 1'
result $? 'eval refuses evaluators that are not there'
