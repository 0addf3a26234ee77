#!/bin/bash
# Kills self-play, training and the loop KILLS times each at random moments (SEED decides), and goes on every
# time: in the end nothing is damaged, and training and the loop give what they give undisturbed. Minutes.
#
#   CASTELLAN=./castellan tests/app/full-kills.sh
set -uo pipefail
kills=${KILLS:-20}
RANDOM=${SEED:-1}
castellan=$(realpath "${CASTELLAN:-./castellan}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

result() { # STATUS NAME
    if [ "$1" = 0 ]; then echo "ok $2"; else
        echo "not ok $2: $(tail -c 400 out err)"
        failed=1
    fi
}

# Runs a command and kills it after up to MOST tenths of a second; 137 when the kill came in time.
kill_soon() { # MOST COMMAND...
    local tenths=$((RANDOM % $1 + 1))
    shift
    timeout --signal=KILL "$((tenths / 10)).$((tenths % 10))" "$@" >out 2>err </dev/null
}

kept() { # DIR: sound games in it
    "$castellan" data --check "$1" 2>err | tee out | sed -n 's/^\([0-9]*\) games.*, 0 damaged.*/\1/p'
}

# -- Self-play: each round must find at least the games that the round before left --
selfplay=("$castellan" selfplay --out games --games 100000 --nodes 100 --threads 2 --hash 1)
before=0 good=0
for ((i = 0; i < kills; i++)); do
    kill_soon 15 "${selfplay[@]}"
    now=$(kept games)
    [ -n "$now" ] && [ "$now" -ge "$before" ] || { good=1; break; }
    before=$now
done 2>/dev/null
[ "$good" = 0 ] && [ "$before" -gt 0 ]
result $? "selfplay killed $kills times: $before games, none damaged, none lost"

# -- Training: killed and resumed, the net is that of a run nobody disturbed --
"$castellan" selfplay --out study --games 1500 --nodes 60 --threads 2 --hash 1 >out 2>err
train=("$castellan" train --data study --epochs 30 --hidden 128 --batch 1024 --threads 2)
"${train[@]}" --out whole.net >out 2>err
came=0
while [ $came -lt $kills ]; do
    kill_soon 20 "${train[@]}" --out killed.net --checkpoint 1 --resume
    [ $? = 137 ] && came=$((came + 1))
    rm -f killed.net # a finished one began too late to be killed: once more
done 2>/dev/null
"${train[@]}" --out killed.net --checkpoint 1 --resume >out 2>err
for net in whole killed; do "$castellan" net show $net.net | grep '^epoch' >$net.losses; done
[ "$(wc -l <whole.losses)" = 30 ] && cmp -s whole.losses killed.losses && [ ! -e killed.net.checkpoint ]
result $? "train killed $came times: the losses of an undisturbed run"

# -- The loop --
learn=("$castellan" learn --generations 2 --threads 1 --games-per-generation 60 --nodes 60 --hidden 64
    --buckets 1 --epochs 6 --batch 512 --gate-games 8 --gate-nodes 60 --gate-tc 0.1+0.01 --hash 1)
"${learn[@]}" --dir whole >out 2>err
came=0 loops=1
while [ $came -lt $kills ]; do
    kill_soon 6 "${learn[@]}" --dir killed-$loops
    if [ $? = 137 ]; then came=$((came + 1)); else loops=$((loops + 1)); fi
done 2>/dev/null
good=0
for ((i = 1; i <= loops; i++)); do
    "${learn[@]}" --dir killed-$i >out 2>err && [ -n "$(kept killed-$i/gen-001/games)" ] &&
        cmp -s whole/gen-001/net.nn killed-$i/gen-001/net.nn || good=1
done
result $good "learn killed $came times: the net of an undisturbed loop"
exit $failed
