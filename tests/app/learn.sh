#!/bin/bash
# castellan learn against the real binary: a tiny loop from end to end, killed again and again on its way.
score=$(cd "$(dirname "$0")/../.." && pwd)/tools/positions/score.py
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"

small=(--start classical --label-nodes 120 --threads 1 --games-per-generation 40 --nodes 60 --hidden 64 --buckets 1 --epochs 4
    --batch 512 --gate-games 8 --gate-nodes 60 --gate-tc 0.1+0.01 --hash 1)

learn() { # ARGUMENTS...
    timeout 100 "$CASTELLAN" learn "$@" >out 2>err </dev/null
}

learn --dir whole --generations 2 "${small[@]}" && said 'generation 2: the new net is' out &&
    said '^generation 3 0 0 ' whole/state && said '<circle' whole/elo.svg &&
    [ -s whole/gen-002/net.nn ] && [ -s whole/log.txt ] &&
    said 'loss 0\.' whole/log.txt
result $? "learn runs two generations"

"$CASTELLAN" data --check whole/gen-001/games >out 2>err && said '^40 games' out &&
    "$CASTELLAN" match castellan,net=whole/gen-001/net.nn castellan,eval=classical --nodes 60 \
        --games 2 --hash 1 >out 2>err && said '^net.nn .* classical' out
result $? "learn leaves sound games and nets that play"

"$CASTELLAN" net show whole/gen-001/net.nn >out 2>err && said '^net-64x1-' out &&
    said '^epoch 4: loss' out &&
    "$CASTELLAN" net losses whole/gen-001/net.nn whole/gen-002/net.nn -o loss.svg 2>err &&
    [ "$(grep -c '<polyline' loss.svg)" -ge 2 ] && said 'net-64x1-.*trained on' loss.svg
result $? "net shows and draws what nets tell of themselves"

printf '# remark\n0 0 0 classical\n1 30 20 first & <b>\n2 10 20 refused\n' >table
"$CASTELLAN" net elo table -o elo.svg 2>err && [ "$(grep -c '<circle' elo.svg)" = 3 ] &&
    said 'fill="#fff" stroke' elo.svg && said 'first &amp; &lt;b' elo.svg
result $? "net draws a table of generations"

printf '1 fast 20 first\n' >table
! "$CASTELLAN" net elo table -o bad.svg 2>err && said 'table:1: expected a generation' err &&
    ! "$CASTELLAN" net losses table -o bad.svg 2>err && said 'table' err && [ ! -e bad.svg ]
result $? "net refuses what is no table and no net"

"$CASTELLAN" selfplay --out wdl-games --games 60 --nodes 50 --threads 1 --seed 3 --hash 1 >out 2>err &&
    "$CASTELLAN" net wdl whole/gen-001/net.nn --data wdl-games -o fitted.nn >out 2>err &&
    said '^fitted.nn: net-64x1-' out && "$CASTELLAN" net show fitted.nn >shown &&
    ! "$CASTELLAN" net show whole/gen-001/net.nn | grep '^WDL' | cmp -s - <(grep '^WDL' shown) &&
    ! "$CASTELLAN" net wdl table --data wdl-games -o bad.nn >out 2>err && said 'not a net' err &&
    ! "$CASTELLAN" net wdl fitted.nn --data no-games -o bad.nn 2>err && [ ! -e bad.nn ]
result $? "net puts a WDL model into a net, or leaves nothing behind"

cat >scored.epd <<'EOF'
# A remark, two positions to use, one in check, one without a score.
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - ce 35; hmvc 2;
8/5pk1/6p1/8/3R4/6P1/r4PK1/8 b - - ce -20;
4k3/4R3/8/8/8/8/8/4K3 b - - ce 3;
8/5pk1/6p1/8/3R4/6P1/r4PK1/8 w - - id "no score";
EOF
sed -n 4,5p scored.epd >unusable.epd
sed '3s/ce -20/bm Ke9/' scored.epd >invalid.epd
run 0 net error classical whole/gen-001/net.nn classical --positions scored.epd &&
    said '^positions +2 +1 +0 +0 +1$' && said '^classical +0\.[0-9]{5} +[0-9]+ .* - +- ' &&
    said '^whole/gen-001/net.nn +[0-9.]+ +-?[0-9.]+ +-?[0-9.]+$' &&
    said '^classical +0\.0000 +0\.0000 +-$' && said '^skipped: 1 in check, 1 without ce$' &&
    run 0 net error classical --positions scored.epd --scale 200 && ! said '^change' && why='' &&
    run 1 net error classical --positions unusable.epd && said 'unusable.epd: no position with a score' err &&
    run 1 net error classical --positions invalid.epd && said 'invalid.epd:3: operation bm' err &&
    run 1 net error table --positions scored.epd && said 'table: not a net' err && [ ! -s out ] &&
    run 2 net error --positions scored.epd && run 2 net error classical
result $? "net compares errors of nets, and refuses positions it cannot use"

if command -v python3 >/dev/null; then
    # A quiet position, one whose best move captures, and a mate in one: the first is kept.
    printf '%s\n' '4k3/4p3/8/8/8/8/4P3/4K3 w - - 3 9' '4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1' '7k/8/6K1/5Q2/8/8/8/8 w - - 0 1' >three.fens
    "$score" --engine "$CASTELLAN" --nodes 500 --jobs 2 three.fens -o three.epd 2>err &&
        said '^3 of 3 positions searched, 1 kept' err && [ "$(wc -l <three.epd)" = 1 ] &&
        said '^4k3/4p3/8/8/8/8/4P3/4K3 w - - ce -?[0-9]+; hmvc 3;$' three.epd &&
        run 0 net error classical --positions three.epd && said '^positions +1 +1 ' &&
        echo 'no position' >bad.fens && ! "$score" --engine "$CASTELLAN" bad.fens -o bad.epd 2>err &&
        said 'bad.fens:1: ' err && ! "$score" --engine false three.fens -o bad.epd 2>err &&
        said 'the engine ended' err && [ ! -e bad.epd ]
    result $? "score.py keeps quiet positions, and leaves no file when it fails"
else
    echo 'skip score.py: there is no python3'
fi

first=$("$CASTELLAN" net show whole/gen-001/net.nn | grep -o '^net-64x1-[0-9a-f]*')
learn --dir on --generations 1 "${small[@]}" --start whole/gen-001/net.nn &&
    said "starting from $first" on/log.txt && "$CASTELLAN" net show on/gen-001/net.nn >out &&
    said "^started from: $first" out &&
    learn --dir other --generations 1 "${small[@]}" --start whole/gen-001/net.nn --buckets 8 &&
    said 'starting from random weights' other/log.txt
result $? "learn starts from the net that plays, where the sizes allow"

learn --dir plain --generations 1 --start whole/gen-001/net.nn --games-per-generation 20 --nodes 40 \
    --label-nodes 0 --threads 1 --gate-games 2 --gate-nodes 40 --gate-tc 0.1+0.01 &&
    said 'starting from net-64x1-' plain/log.txt && said 'epoch 2 of 2' plain/log.txt &&
    "$CASTELLAN" net show plain/gen-001/net.nn >out && said '^net-64x1-' out &&
    ! grep -q label plain/gen-001/games/*.txt &&
    said 'label-nodes 120, disable_lmp' whole/gen-001/games/games-2-of-001.txt
result $? "learn takes the sizes of its first net, and labels unless told otherwise"

sed -e 's/^castellan-learn 3/castellan-learn 2/' -e '/^random-moves/d' plain/state >old && cp old plain/state &&
    learn --dir plain --generations 1 && learn --dir plain --generations 1 --random-moves 0 &&
    sed -e 's/^castellan-learn 2/castellan-learn 1/' -e '/^label-nodes/d' old >plain/state &&
    learn --dir plain --generations 1 && learn --dir plain --generations 1 --label-nodes 0
result $? "learn reads states of the first and the second version"

for i in 1 2 3 4 5 6 7 8 9 10; do
    timeout --signal=KILL "0.$((i % 4 + 1))" "$CASTELLAN" learn --dir killed --generations 2 \
        "${small[@]}" >out 2>err </dev/null
done 2>/dev/null # the shell's own word about each kill
learn --dir killed --generations 2 "${small[@]}" && said '^generation 3 0 0 ' killed/state &&
    "$CASTELLAN" data --check killed/gen-001/games killed/gen-002/games >out 2>err &&
    said '^80 games, [0-9]+ positions, 0 damaged files$' out &&
    cmp -s whole/gen-001/net.nn killed/gen-001/net.nn
result $? "learn goes on after ten kills, and learns the same"

learn --dir whole --generations 3 --nodes 61
[ $? = 2 ] && said 'created with different options: --nodes 60' err
result $? "learn keeps the settings of a loop"

learn --dir whole --hours 0.0001 && said 'time limit reached' out
result $? "learn ends when its time is up"

printf 'castellan-learn 3\nstart ' >whole/state
learn --dir whole --generations 3
[ $? = 1 ] && said 'damaged' err
result $? "learn refuses a damaged state"

learn --generations 1
[ $? = 2 ] && { learn --dir x; [ $? = 2 ]; } && { learn --dir x --hours none; [ $? = 2 ]; }
result $? "learn refuses bad usage"

"$CASTELLAN" train --data whole/gen-001/games --out gpu.nn --gpu --hidden 64 --epochs 1 >out 2>err
code=$?
[ $code = 0 ] || { [ $code = 2 ] && said 'CUDA|card' err && [ ! -e gpu.nn ]; }
result $? "train uses a GPU, or reports at once that there is none"

"$CASTELLAN" selfplay --out gpu-games --gpu --nodes 50 --games 1 --threads 1 >out 2>err
code=$?
[ $code = 0 ] || { [ $code = 2 ] && said 'CUDA|card' err && [ ! -e gpu-games ]; }
result $? "selfplay uses a GPU, or reports at once that there is none"
