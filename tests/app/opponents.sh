#!/bin/bash
# castellan opponents, and opponents in castellan match: the list for people and for programs, games with
# someone of the gallery and with a level, wrong names.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"

run 0 opponents && said '^name +year +rating +style$' && said '^castellan +[0-9]{4} +([0-9]+|-)  [A-Z].*\.$' &&
    ! grep -vqE '^(name|[a-z0-9-]+) +(year|[0-9]{4}) +(rating|[0-9]+|-) +[A-Za-z]' out
result $? "opponents are a table"
names=$(awk 'NR > 1 { print $1 }' out)

run 0 opponents --json && [ "$(grep -c '"name": "' out)" = "$(wc -w <<<"$names")" ] &&
    { ! command -v python3 >/dev/null || python3 -c '
import json, sys
rows = json.load(open("out"))
assert rows[0]["name"] == "castellan"
for r in rows:
    assert sorted(r) == ["name", "rating", "style", "title", "year"], r
'; }
result $? "opponents are JSON"

run 2 opponents everyone && said '^castellan: opponents: ' err && [ ! -s out ]
result $? "opponents take no words"

run 2 match opponent=castelan castellan --nodes 10 && said "no opponent 'castelan'.*castellan\?" err &&
    run 2 match opponent= castellan --nodes 10 && said "no opponent ''" err &&
    run 2 match elo=399 castellan --nodes 10 && said 'levels go from 400 to 3000' err
result $? "match refuses who is not there"

run 0 match elo=600 castellan,nodes=500 --games 4 --hash 1 --concurrency 2 --max-moves 60 \
    --option 'Opponent Seed=3' --pgn level.pgn &&
    said '^elo-600 0 - [0-9]+ - [0-9]+ castellan' && ! grep -q lost <(tail -n +2 out) &&
    run 0 pgn level.pgn && said '^4 games, [0-9]+ moves, 0 errors$'
result $? "match plays a level of strength"

# Whoever hangs in the gallery plays a short game against itself through the whole program, twice the same.
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
