#!/bin/bash
# castellan play --console: the sessions that the documents of the classic programs print, typed in and compared.
# shellcheck source=tests/app/harness.bash
. "$(dirname "$0")/harness.bash"

# console NAME LINES... : what is typed, one line each; further arguments of play in $with.
with=()
console() {
    local name=$1
    shift
    printf '%s\n' "$@" | timeout 60 "$CASTELLAN" play --console "$name" "${with[@]}" >out 2>err
    status=$?
    [ $status = 0 ] || { why="exit code $status: $(head -c 300 err)"; return 1; }
}

# The lines of a file come in this order, with others between them.
in_order() {
    awk 'NR == FNR { want[++n] = $0; next } at < n && $0 == want[at + 1] { at++ }
        END { if (at < n) { print "missing: " want[at + 1]; exit 1 } }' "$1" out >missing ||
        { why=$(cat missing); return 1; }
}

# -- Kanji --

# The first test, minimax with the random utility, MAXDEPTH 7. The document's last FEN has a rank too many.
with=(--color black --fen '4K3/8/8/8/8/R6R/8/4k3 w - - 0 1')
console kanji,technique=minimax,utility=random,maxdepth=7,book=off e1f1 && grep -v '^Evaluation' out >rest && same rest \
    '4K3/8/8/8/8/R6R/8/4k3 w - - 0 1
The node count is: 4488
making move 4624
4K3/8/8/8/8/7R/R7/4k3 b - - 1 1
making move 4420
4K3/8/8/8/8/7R/R7/5k2 w - - 2 2
The node count is: 34
making move 4567
4K3/8/8/8/8/8/R7/5k1R b - - 3 2
CHECKMATE! White Wins!'
result $? 'kanji: the two rooks'

# The mate in three with each technique; "making move" and the FENs are the same, the counts are the table's.
with=(--color white --fen '8/Q7/8/2p2p2/1k1nq3/1P6/3K1P2/5B2 b - - 1 1')
for row in 'minimax 8230249 8077 27' 'alphabeta 38473 936 18' 'table 35234 936 18' 'order 16394 455 18' 'all 4215 353 18'; do
    read -r technique first second third <<<"$row"
    console "kanji,technique=$technique,utility=material,maxdepth=7,book=off" d2e3 e3d3 &&
        grep -v '^Evaluation' out >rest && same rest "8/Q7/8/2p2p2/1k1nq3/1P6/3K1P2/5B2 b - - 1 1
The node count is: $first
making move 4764
8/Q7/8/2p2p2/1k1n4/1P6/2qK1P2/5B2 w - - 2 2
making move 5387
8/Q7/8/2p2p2/1k1n4/1P2K3/2q2P2/5B2 b - - 3 2
The node count is: $second
making move 4234
8/Q7/8/2p2p2/1k1n4/1P2K3/5P2/2q2B2 w - - 4 3
making move 5332
8/Q7/8/2p2p2/1k1n4/1P1K4/5P2/2q2B2 b - - 5 3
The node count is: $third
making move 5250
8/Q7/8/2p2p2/1k1n4/1PqK4/5P2/5B2 w - - 6 4
CHECKMATE! Black Wins!" || break
done
result $? 'kanji: the mate in three'

with=(--color white --fen 'r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P2/N1P2N1q/PP1P1PPP/R1BQK2R b KQ - 0 10')
console kanji,technique=minimax,utility=material,maxdepth=5,book=off f3h4 e1e2 && same out \
    'r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P2/N1P2N1q/PP1P1PPP/R1BQK2R b KQ - 0 10
Evaluation value of move: -300
The node count is: 1070064
making move -27753
r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P2/N1P2N2/PP1P1PqP/R1BQK2R w KQ - 0 11
making move 6101
r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P1N/N1P5/PP1P1PqP/R1BQK2R b KQ - 1 11
Evaluation value of move: 300
The node count is: 934868
making move -28210
r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P1N/N1P5/PP1P1P1P/R1BQK2q w Q - 0 12
making move 4868
r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P1N/N1P5/PP1PKP1P/R1BQ3q b - - 1 12
Evaluation value of move: 300
The node count is: 631791
making move 6074
r2k1bnr/pp2p1p1/2p3Bp/3p4/5PbN/N1P5/PP1PKP1P/R1BQ3q w - - 2 13'
result $? 'kanji: the comparer case'

# -- The adaptive program --

# The document prints less than its listing does: these lines come in this order. Blanks between its columns are lost.
with=()
cat >sample <<'END'
Please choose your side: 
Enter 'w' for white, 'b' for black: 
Initial board: 
    a  b  c  d  e  f  g  h
1: +R +N +B +Q +K +B +N +R 
2: +P +P +P +P +P +P +P +P 
3:  *  *  *  *  *  *  *  * 
4:  *  *  *  *  *  *  *  * 
5:  *  *  *  *  *  *  *  * 
6:  *  *  *  *  *  *  *  * 
7: -P -P -P -P -P -P -P -P 
8: -R -N -B -Q -K -B -N -R 
Enter your next move: 
Current board after your move: 
    a  b  c  d  e  f  g  h
1: +R  * +B +Q +K +B +N +R 
2: +P +P +P +P +P +P +P +P 
3:  *  * +N  *  *  *  *  * 
4:  *  *  *  *  *  *  *  * 
Computer's last move is: 
Pawn(-1) from: e7(6,4) to: e5(4,4)
Current board after computer's move: 
5:  *  *  *  * -P  *  *  * 
6:  *  *  *  *  *  *  *  * 
7: -P -P -P -P  * -P -P -P 
Number of plys: 1
Enter your next move: 
Current board after your move: 
3:  *  * +N  *  *  *  *  * 
4:  *  *  *  * +P  *  *  * 
Current board after computer's move: 
1: +R  * +B +Q +K +B +N +R 
2: +P +P +P +P  * +P +P +P 
3:  *  * +N  *  *  *  *  * 
4:  *  *  *  * +P  *  *  * 
5:  *  *  *  * -P  * -Q  * 
6:  *  *  *  *  *  *  *  * 
7: -P -P -P -P  * -P -P -P 
8: -R -N -B  * -K -B -N -R 
Number of plys: 2
Player is Resigned: 
COMPUTER WINS!!! GAME OVER!!!
Number of plys: 2
END
console adaptive w 'N b1-c3' 'P e2-e4' resign && in_order sample
result $? 'adaptive: the printed game'

console adaptive x b draw 'n g8-f6' '0-0' 'P: P e7-e5' 'N e2-e4' 'nonsense' resign &&
    [ "$(grep -c '^Please choose your side' out)" = 2 ] && said '^BEST MOVE IS FOUND AT CHILD NO: [0-9]+$' &&
    said '^Player Proposed a DRAW!$' && said '^Valid Input =\)$' && said '^Invalid Move!$' && said '^Invalid Input!$' &&
    said '^Material of White: 1039$' && said '^Mobility of Black: 20$' && said '^Central value of white: ' &&
    said '^Move 1:  with value :-?[0-9.]+ Pawn\(1\) from: a2\(1,0\) to: a3\(2,0\)$' &&
    said '^Knight\(-3\) from: g8\(7,6\) to: f6\(5,5\)$'
result $? 'adaptive: input forms and messages'

with=(--fen '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1')
console adaptive w 'Q f7-g7' && cat >sample <<'END' && in_order sample
Computer is in CHECK!!!
Computer is in CHECK MATE!!!
PLAYER WINS!!!
GAME OVER!!!
Number of plys: 0
END
result $? 'adaptive: checkmate'

# -- JavaChess --

with=(--seed 1)
console javachess H c '52 36' '99 01' '00 01' '62 61' '62 30' '60 62' 'RESIG' && cat >sample <<'END' && in_order sample
Welcome to Java Chess. Who plays white: [H]uman or [C]omputer? 
And who plays black: [H]uman or [C]omputer? 
-----------------------------------------
|    |    |    |    |    |    |    |    |
| BR | BN | BB | BQ | BK | BB | BN | BR |
NEXT MOVE: WHITE
Your move, WHITE?
Move is accepted...
WHITE selects move: Move: WP [ 52, 36 ] TYPE: 0
|    |    |    |    | WP |    |    |    |
NEXT MOVE: BLACK 
BLACK selects move: Move: BP [ 12, 28 ] TYPE: 0
Your move, WHITE?
Sorry, illegal source square 99
Sorry, You don't have a piece at square 0
Sorry, can't capture your own piece!
Sorry, this move is not in the pseudo-legal list: Move: WN [ 62, 30 ] TYPE: 0
WHITE selects move: Move: RESIGNATION:
Game Over. Thanks for playing!
END
result $? 'javachess: questions, moves and complaints'

# Promotion to a knight is typed K; the program then thinks and prints its statistics, whose figures are not in the document.
with=(--seed 1 --fen '8/4P2k/8/8/8/8/8/K7 w - - 0 1')
console javachess H C '12 04' k RESIG && cat >sample <<'END' && in_order sample
Promote the pawn to [K]night, [R]ook, [B]ishop, [Q]ueen?
Move is accepted...
WHITE selects move: Move: WP [ 12, 4 ] TYPE: 32
|    |    |    |    | WN |    |    |    |
END
result $? 'javachess: promotion to K, a knight'

with=(--seed 1 --fen '8/2k5/8/3r4/8/8/4K3/7R w - - 0 1')
console javachess H C '63 55' RESIG && said '^Iteration of depth 2; best move = Move: B[KR] \[ [0-9]+, [0-9]+ \] TYPE: [01]$' &&
    said '^ --> Transposition Table hits for regular nodes: [0-9]+ of [0-9]+$' &&
    said '^ --> Transposition Table hits for quiescence nodes: [0-9]+ of [0-9]+$' &&
    said '^ --> Number of cutoffs for regular nodes: [0-9]+$' &&
    said '^ --> Number of cutoffs in quiescence search: [0-9]+$'
result $? 'javachess: statistics after each iteration'

# Several opening libraries as a training tool, one of the author's wishes: a move that is in no book is asked for again.
printf '2\n52 36 12 28 62 45 END\n52 36 10 26 END\n' >king.txt
printf '1\n51 35 11 27 END\n' >queen.txt
with=(--seed 1)
console javachess,book=king.txt+queen.txt,trainer=on H C '48 40' '51 35' '57 42' RESIG && cat >sample <<'END' && in_order sample
The book plays Move: WP [ 52, 36 ] TYPE: 0
or Move: WP [ 51, 35 ] TYPE: 0
Your move, WHITE?
That is a move of the book.
Move is accepted...
BLACK selects move: Move: BP [ 11, 27 ] TYPE: 0
This position is not in the book.
Move is accepted...
END
result $? 'javachess: the trainer over several books'

# -- ChessBin and Chess Mantis --

# A position seen before gets the same answer without a search, also from the next program that reads the file.
with=(--color black --fen '8/8/4k3/p7/P7/4K3/8/8 w - - 0 1')
console chessbin,memory=answers.txt && said '^time: [0-9.]+ s, nodes searched: [1-9][0-9]+$' && grep -c . answers.txt >lines &&
    grep -qE '^8/8/4k3/p7/P7/4K3/8/8 w - - e3[a-h][1-8] [67]$' answers.txt && move=$(sed -n 3p out) &&
    console chessbin,memory=answers.txt && said '^time: [0-9.]+ s, nodes searched: 0$' && [ "$(sed -n 3p out)" = "$move" ] &&
    [ "$(grep -c . answers.txt)" = "$(cat lines)" ] && printf 'no position e2e4 6\n' >answers.txt &&
    run 2 play --console chessbin,memory=answers.txt && said "^castellan: play: memory: answers.txt:1: " err
result $? 'chessbin: answers remembered for positions seen before'


# The guide's four FENs, with the en passant square after every double step; its memory has the answers of the example.
printf '%s\n' 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c7c5 6' \
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - d7d6 6' >answers.txt
with=(--color white)
console chessbin,memory=answers.txt e2e4 g1f3 && cat >sample <<'END' && in_order sample
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
END
result $? 'chessbin: the FENs of its guide'

with=(--color black --fen '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1')
console chessbin,level=medium && said '^time: [0-9.]+ s, nodes searched: 0$' && said '^Ra1a8$' && said '^White mates$' &&
    with=(--fen '7k/P7/8/8/8/8/8/K7 w - - 0 1') && console chessbin a7a8q undo e2e4 && said '^a8=Q$' &&
    said "^'e2e4' is not a legal move" && [ "$(grep -c '^7k/P7/8/8/8/8/8/K7 w - - 0 1$' out)" = 2 ]
result $? 'chessbin: its text of moves'

printf 'xboard\nprotover 2\nsd 1\nusermove e2e4\nping 1\n' >in
: >out
asks '^pong 1$' | timeout 100 "$CASTELLAN" play --console mantis,evaluator=capuchin >out 2>err && said '^move [a-h][1-8]' &&
    said '^pong 1$'
result $? 'mantis: the protocol of xboard'

run 2 play --console nobody && said "unknown console 'nobody': javachess, mantis, chessbin, adaptive, kanji" err &&
    run 2 play --console kanji,technique=best && said "technique: invalid value 'best': minimax, alphabeta" err
result $? 'consoles that do not exist are named'
exit 0
