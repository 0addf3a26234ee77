#!/bin/bash
# castellan lab against the real binary: table, CSV, chart, positions from everywhere, bad input.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"
tested=lab
mate='4K3/8/8/8/8/R6R/8/4k3 w - - 0 1'
mate_in_one='4K3/8/8/8/8/7R/R7/5k2 w - - 2 2'

run 0 --techniques minimax,order && [ "$(grep -c '^  minimax ' out)" = 8 ] &&
    said '^A1: r1bk1bnr/' && said '^  minimax +1,070,064 .* 4 +-3.05  Qxg2 ' &&
    said '^  minimax +8,230,249 .* 5 +mate 3  Qc2\+ ' && said '^  minimax +34 .* 1 +mate 1  Rh1# ' &&
    said '^  order .* [0-9.]+ %$'
result $? "lab measures the document's positions"

run 0 --depth 6 "$mate" && said '^  minimax +4,488 .* 3 +mate 2  Ra2 ' &&
    said '^  lmr +\* ' && said 'not exact'
result $? "lab runs every technique"

missing=''
"$CASTELLAN" help lab >help
for name in $(sed -nE 's/^  ([a-z]+) .*/\1/p' out | grep -v technique); do
    grep -qE "^  $name " help || missing+=" $name"
done
why=${missing:+not in the help:$missing}
[ -z "$missing" ] && [ "$(grep -cE '^  [a-z]+ +\*? *[0-9]' out)" = 14 ]
result $? "lab explains every technique"

# shellcheck disable=SC2086 # without quotes on purpose
run 0 --techniques minimax $mate && said '^  minimax +4,488 ' &&
    run 0 --techniques minimax "$mate" "$mate_in_one" && [ "$(grep -c '^  minimax ' out)" = 2 ]
result $? "lab takes positions with and without quotes"

printf '%s id "first, one";\n\n# more\n%s bm Rh1#; id "second";\n' "${mate% 0 1}" \
    "${mate_in_one% 2 2}" >two.epd
run 0 --epd two.epd --csv --techniques minimax,pvs+killers && [ "$(wc -l <out)" = 5 ] &&
    said '^position,fen,technique,exact,nodes,time_ms,depth,value,mate,move,saving_percent,finished$' &&
    said '^"first, one",4K3.*,minimax,yes,4488,[0-9.]+,3,,2,Ra2,,yes$' &&
    said '^"second",.*,pvs\+killers,yes,[0-9]+,[0-9.]+,1,,1,Rh1#,[0-9.-]+,yes$'
result $? "lab reads EPD and writes CSV"

run 0 --svg chart.svg --techniques minimax,null "$mate" && said '^<svg xmlns' chart.svg &&
    said '>minimax<' chart.svg && said '>null \*<' chart.svg && said '4,488' chart.svg &&
    said '</svg>' chart.svg && [ "$(ls)" = "$(printf '%s\n' chart.svg err help out two.epd)" ]
result $? "lab draws a chart"

if command -v xmllint >/dev/null; then
    xmllint --noout chart.svg 2>err
    result $? "the chart is sound XML"
else
    echo "skip the chart is sound XML: xmllint is not there"
fi

run 0 --nodes 1000 --depth 9 --techniques minimax && [ "$(grep -c 'not finished$' out)" = 6 ]
result $? "lab gives up where it is told to"

complains 2 "unknown technique 'beta'" --techniques minimax,beta &&
    complains 2 'depth' --depth 0 && complains 2 'depth' --depth 61 && complains 2 'nodes' --nodes x &&
    complains 2 '--what' --what && complains 1 'piece placement' 'not a position' && complains 1 '' startpos &&
    complains 1 'king' '8/8/8/8/8/8/8/8 w - - 0 1'
result $? "lab refuses bad arguments"

printf '%s\n8/8/8 w - -\n' "${mate% 0 1}" >bad.epd
: >empty.epd
head -c 5000 /dev/urandom >noise.epd
complains 1 'bad.epd:2: ' --epd bad.epd && complains 1 'nowhere.epd' --epd nowhere.epd &&
    complains 1 'no positions' --epd empty.epd && complains 1 'noise.epd:' --epd noise.epd
result $? "lab refuses bad files"

ln -s /dev/full full
run 1 --techniques order --svg nowhere/chart.svg "$mate" && said '^castellan: lab: .*nowhere' err && [ ! -s out ] &&
    run 1 --techniques order --svg full "$mate" && said '^castellan: lab: .*full: No space' err && said '^  order'
result $? "lab tells when the chart cannot be written"

: >out
"$CASTELLAN" lab --techniques alphabeta,minimax --depth 30 --svg cut.svg "$mate_in_one" \
    'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' >out 2>err &
pid=$!
until_true grep -q 'Rh1#' out && sleep 0.2
kill -TERM $pid
wait $pid
status=$?
[ $status = 1 ] && said 'Rh1#' && said '^  alphabeta .* not finished$' && said '</svg>' cut.svg
result $? "lab keeps what was measured when it is interrupted"
