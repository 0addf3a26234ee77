#!/bin/bash
# castellan book against the real binary: asking, showing, building, and polyglot's opinion.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"
tested=book
PATH=$PATH:/usr/games

entries() { # BOOK: one line an entry, sorted
    od -An -v -tx1 -w16 "$1" | sort
}

cat >games.pgn <<'END'
[Event "castling, both sides"]
[WhiteElo "2500"]
[BlackElo "2400"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 1-0

[Event "en passant, promotion, the long side"]
[WhiteElo "2300"]
[BlackElo "2600"]
[Result "1/2-1/2"]

1. e4 d5 2. e5 f5 3. exf6 (3. Ke2) Nc6 4. fxg7 Bf5 5. gxh8=N Qd6 6. Nc3 O-O-O 1/2-1/2

[Event "Black wins"]
[Result "0-1"]

1. d4 d5 2. c4 e6 0-1

[Event "nobody knows"]
[Result "*"]

1. e4 c5 2. Nf3 *
END

run 0 build games.pgn -o a.bin --min-games 1 &&
    same out "a.bin: 22 moves in 21 positions from 4 games, 0 skipped, 0 errors" && same err ""
result $? "book build counts what it wrote"

run 0 probe --book a.bin && same out "e4      e2e4      4 100.0 %" && same err ""
result $? "book probe: what only lost is left out"

run 1 probe rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1 --book a.bin &&
    same out "" && same err "castellan: book: position not in the book"
result $? "book probe tells of an unknown position, in a FEN without quotes"

run 0 show --book a.bin --depth 3 && same out "1. e4  4 (100.0 %)
  1... c5  1 (50.0 %)
    2. Nf3  1 (100.0 %)
  1... d5  1 (50.0 %)
    2. e5  1 (100.0 %)"
result $? "book show prints a tree"

run 0 show "r1bqk2r/2ppbppp/p1n2n2/1p2p3/B3P3/5N2/PPPP1PPP/RNBQR1K1 w kq - 0 7" --book a.bin &&
    same out "7. Bb3  2 (100.0 %)"
result $? "book show begins anywhere"

run 0 build games.pgn -o elo.bin --min-games 1 --min-elo 2400 &&
    same out "elo.bin: 7 moves in 7 positions from 1 games, 3 skipped, 0 errors"
result $? "book build --min-elo"

run 0 build games.pgn -o black.bin --min-games 1 --result 0-1 &&
    same out "black.bin: 2 moves in 2 positions from 1 games, 3 skipped, 0 errors"
result $? "book build --result"

run 0 build games.pgn games.pgn -o short.bin --min-games 2 --plies 1 &&
    same out "short.bin: 1 moves in 1 positions from 8 games, 0 skipped, 0 errors"
result $? "book build --plies, several files"

timeout 60 "$CASTELLAN" book build - -o stdin.bin --min-games 1 <games.pgn >out 2>err &&
    cmp -s a.bin stdin.bin
result $? "book build reads standard input"

# -- What cannot be --

ls >before
run 1 build games.pgn -o none/b.bin && same err "castellan: book: none/b.bin: No such file or directory"
result $? "book build tells of a missing directory"

run 1 build games.pgn -o /dev/full && same err "castellan: book: /dev/full: not a regular file"
result $? "book build tells of a device"

run 1 build games.pgn -o c.bin --min-games 4 &&
    same err "castellan: book: no move of 4 games was played often enough (--min-games 4)"
result $? "book build writes no empty book"

run 1 build games.pgn missing.pgn -o c.bin --min-games 1 &&
    same err "castellan: book: missing.pgn: No such file or directory"
result $? "book build tells of missing games"

cp a.bin old.bin
(ulimit -f 0; trap '' XFSZ; timeout 60 "$CASTELLAN" book build games.pgn -o a.bin --min-games 1) 2>&1 |
    cat >all
same all "castellan: book: a.bin: File too large" && cmp -s a.bin old.bin
result $? "book build leaves the old book when the disk is full"
rm -f old.bin all

[ "$(ls)" = "$(cat before)" ] || why="left behind: $(ls)"
[ -z "$why" ]
result $? "book build leaves nothing behind when it fails"

{ cat games.pgn; printf '\n[Event "bad"]\n\n1. e4 e5 2. Ke3 *\n'; } >broken.pgn
run 1 build broken.pgn -o broken.bin --min-games 1 && cmp -s broken.bin a.bin &&
    same err 'castellan: book: broken.pgn:27: "Ke3" is not legal here'
result $? "book build passes over a broken game"

run 2 && run 2 nonsense && run 2 build games.pgn && run 2 build -o b.bin &&
    run 2 build games.pgn -o b.bin --result 2-0 && run 2 probe --depth 3 && run 2 build games.pgn -o
result $? "book refuses bad usage"

run 0 --help && grep -q '^usage: castellan book' out
result $? "book --help"

head -c 100 a.bin >cut.bin
run 1 probe --book cut.bin && same err "castellan: book: cut.bin: not a Polyglot book, or truncated: \
100 bytes is not a multiple of 16"
result $? "book probe refuses a truncated book"

run 1 probe --book games.pgn && [ -s err ]
result $? "book probe refuses what is no book"

# -- In the engine --

printf 'setoption name BookFile value a.bin\nsetoption name OwnBook value true\n%s\n%s\nquit\n' \
    'position startpos' 'go wtime 600000 btime 600000' |
    timeout 20 "$CASTELLAN" uci >out 2>err
grep -q '^bestmove e2e4' out
result $? "the engine plays from its book at once"

printf 'setoption name BookFile value cut.bin\nquit\n' | timeout 20 "$CASTELLAN" uci >out 2>err
grep -q '^info string BookFile: cut.bin: not a Polyglot book' out
result $? "the engine says why a book is refused"

# -- The one inside, and how it was made --

run 0 probe && grep -q '^e4 ' out && grep -q '^d4 ' out && run 0 probe --book own && run 0 show --depth 2
result $? "there is a book inside the program"
printf 'C20\tone\te4 e5 Nf3\nC20\ttwo\te4 e5 Ke2\nA40\tthree\td4 g5\n' >lines.tsv
run 0 weigh lines.tsv -o w1.bin --nodes 3000 --threads 1 && run 0 weigh lines.tsv -o w2.bin --nodes 3000 --threads 3 &&
    cmp -s w1.bin w2.bin
result $? "book weigh gives the same book on any number of threads"
run 0 probe --book w1.bin && grep -q '^e4 ' out && grep -q '^d4 ' out &&
    run 0 probe --book w1.bin 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' && grep -q '^Nf3 ' out &&
    ! grep -q '^Ke2 ' out
result $? "book weigh leaves out what is not sound"
printf 'C20\tone\te4 e5 Nf6\n' >bad.tsv
run 1 weigh bad.tsv -o w3.bin && grep -q 'line 1: ' err && [ ! -e w3.bin ] && run 2 weigh lines.tsv
result $? "book weigh tells of a line that cannot be read"

# -- Others --

if command -v polyglot >/dev/null; then
    polyglot make-book -pgn games.pgn -bin p.bin -max-ply 20 -min-game 1 >/dev/null 2>&1 &&
        [ "$(entries p.bin)" = "$(entries a.bin)" ]
    result $? "polyglot builds the same entries, weights included"
    "$TOOLS/makegames" 2 11 >many.pgn 2>/dev/null
    polyglot make-book -pgn many.pgn -bin p.bin -max-ply 30 -min-game 2 >/dev/null 2>&1
    run 0 build many.pgn -o many.bin --plies 30 --min-games 2 --memory 1 &&
        [ "$(wc -c <many.bin)" -gt 1000 ] && [ "$(entries p.bin)" = "$(entries many.bin)" ]
    result $? "polyglot builds the same entries from many games"
else
    echo "skip polyglot builds the same entries: polyglot is not installed"
fi

system=/usr/share/games/gnuchess/book.bin
if [ -r $system ]; then
    run 0 probe --book $system && cp out named && run 0 probe --book system && cmp -s out named &&
        grep -q '^e4 ' out
    result $? "book probe reads the system's book"
else
    echo "skip book probe reads the system's book: no $system"
fi
