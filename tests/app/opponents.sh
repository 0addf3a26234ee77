#!/bin/bash
# castellan opponents, and opponents in castellan match: the list for people and for programs, games with
# an opponent and with a level, wrong names.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"

run 0 opponents && said '^name +year +rating +style$' && said '^castellan +[0-9]{4} +([0-9]+|-)  [A-Z].*\.$' &&
    ! grep -vqE '^(name|[a-z0-9-]+) +(year|[0-9]{4}) +(rating|[0-9]+|-) +[A-Za-z]' out
result $? "opponents are a table"
names=$(awk 'NR > 1 { print $1 }' out)

run 0 opponents --json && [ "$(grep -o '"name": "' out | wc -l)" = "$(wc -w <<<"$names")" ] &&
    { ! command -v python3 >/dev/null || python3 -c '
import json, sys
rows = json.load(open("out"))
assert rows[0]["name"] == "castellan"
for r in rows:
    assert sorted(r) == ["name", "rating", "settings", "style", "title", "year"], r
    for s in r["settings"]:
        assert sorted(s) == ["default", "help", "key", "kind", "values"], s
'; }
result $? "opponents are JSON"

run 0 opponents mantis adaptive && said '^  analyser ' && said 'marmoset, capuchin, sifaka, macaque, mantis .default mantis' &&
    said '^  weights ' && said '1 to 64 .default 2' && run 0 opponents capuchin && said 'default capuchin' &&
    run 2 opponents everyone && said "^castellan: opponents: no opponent 'everyone'" err && [ ! -s out ]
result $? "opponents NAME lists the settings"

# The same settings in a match, with the message that names the value and what is accepted.
run 0 match opponent=mantis,analyser=minimax,evaluator=sifaka,name=A opponent=kanji,technique=order,book=off,name=B \
    --nodes 200 --games 2 --hash 1 --max-moves 8 && said '^A [0-9]+ - [0-9]+ - [0-9]+ B .*2 games' &&
    run 2 match opponent=mantis,evaluator=baboon castellan --nodes 10 &&
    said "evaluator: invalid value 'baboon': marmoset, capuchin, sifaka" err &&
    run 2 match opponent=mantis,colour=red castellan --nodes 10 && said "unknown field 'colour'" err &&
    run 2 match opponent=javachess,position=x castellan --nodes 10 && said 'not available in a match' err
result $? "match takes the settings of opponents"

printf 'setoption name Opponent value mantis\nsetoption name Opponent Settings value analyser=minimax,evaluator=sifaka\nposition startpos\ngo depth 2\n' >in
: >out
asks '^bestmove ' | "$CASTELLAN" uci >out 2>err && said '^bestmove ' && ! said 'invalid' &&
    printf 'setoption name Opponent value mantis,evaluator=baboon\nsetoption name Opponent Settings value level=hard\nisready\n' >in &&
    : >out && asks '^readyok' | "$CASTELLAN" uci >out 2>err && said "invalid value 'baboon': marmoset" && said 'has no opponent settings'
result $? "UCI options take the settings of opponents"

run 2 match opponent=castelan castellan --nodes 10 && said "no opponent 'castelan'.*castellan" err &&
    run 2 match opponent= castellan --nodes 10 && said "no opponent ''" err &&
    run 2 match elo=399 castellan --nodes 10 && said 'the levels are 400 to 3000' err
result $? "match refuses who is not there"

run 0 match elo=600 castellan,nodes=500 --games 4 --hash 1 --concurrency 2 --max-moves 60 \
    --option 'Opponent Seed=3' --pgn level.pgn &&
    said '^elo-600 0 - [0-9]+ - [0-9]+ castellan' && ! grep -q lost <(tail -n +2 out) &&
    run 0 pgn level.pgn && said '^4 games, [0-9]+ moves, 0 errors$'
result $? "match plays a level of strength"

# xboard's random switches Chess Mantis's random element on, again off, and a new game begins without it.
answer() { # SEED LINES: what Chess Mantis answers to 1. e4
    printf 'xboard\nprotover 2\noption Opponent=mantis\noption Opponent Seed=%s\nsd 1\n%busermove e2e4\n' "$1" "$2" >in
    : >out
    asks '^move ' | timeout 100 "$CASTELLAN" xboard >out 2>err
    grep '^move ' out
}
plain=$(answer 1 '') others=0
for seed in 1 2 3 4 5 6; do
    [ "$(answer $seed 'random\n')" = "$plain" ] || others=$((others + 1))
done
[ -n "$plain" ] && [ "$others" -gt 0 ] && [ "$(answer 2 'random\nrandom\n')" = "$plain" ] &&
    [ "$(answer 3 'random\nnew\nsd 1\n')" = "$plain" ] || why="'$plain', $others others"
[ -z "$why" ]
result $? "xboard's random is a switch"

printf 'WHITE\n3\nWK 60\nBK 4\nBR 0\nFALSE\nFALSE\nFALSE\nFALSE\n0\n' >start.txt
printf 'fen\nquit\n' | timeout 20 "$CASTELLAN" play --plain --no-save --opponent javachess,position=start.txt >out 2>err
said 'r3k3/8/8/8/8/8/8/4K3 w - - 0 1'
result $? "play begins where the opponent's position file says"

# Every opponent plays a short game against itself through the whole program, twice the same.
for name in $names; do
    same='' # no clocks in the games: their times would differ
    for time in 1 2; do
        run 0 match "opponent=$name,name=A" "opponent=$name,name=B" --nodes 300 --games 2 --hash 1 \
            --max-moves 12 --option 'Opponent Seed=5' --pgn "$name$time.pgn" &&
            said '^A [0-9]+ - [0-9]+ - [0-9]+ B .*2 games' && ! grep -q '^game ' out || break
        # A comment with a time may go on in the next line.
        same+="$(tr '\n' ' ' <"$name$time.pgn" | sed -e 's/{[^}]*}//g' -e 's/\[[^]]*\]//g' | md5sum)"$'\n'
    done
    if [ -z "$why" ] && [ "$(sort -u <<<"$same" | grep -c .)" != 1 ]; then
        why="$name: the same seed gave another game"
    fi
    [ -z "$why" ] || break
done
[ -z "$why" ]
result $? "match plays everyone, and a seed repeats a game"
exit 0
