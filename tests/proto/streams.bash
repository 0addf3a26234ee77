# shellcheck shell=bash
# Random command streams for both protocols: words in any order, wrong values, binary, long lines.

# What both streams share: garbage of several kinds.
common='
function below(n) { return int(rand() * n) }
function pick(list,   parts, n) { n = split(list, parts, "|"); return parts[1 + below(n)] }
function garbage(len,   i) { for (i = 0; i < len; i++) printf "%c", below(255) + (rand() < 0.9); printf "\n" }
function salad(words, n,   i) { for (i = 0; i < n; i++) printf "%s ", pick(words); printf "\n" }
function long_line(len,   i, part) {
    part = pick("position startpos moves e2e4 e7e5 |x|setoption name Hash value 1|go |\t \t")
    for (i = 0; i < len; i += length(part)) printf "%s", part
    printf "\n"
}
function number() { return pick("0|1|-1|3|7|20|99999999999999999999|abc|1e3|-0|+5|") }
function move() { return substr("abcdefgh", 1 + below(8), 1) (1 + below(8)) \
    substr("abcdefgh", 1 + below(8), 1) (1 + below(8)) pick("||||q|n|x") }
function fen() { return pick("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|" \
    "8/8/8/8/8/8/8/8 w - - 0 1|7k/6Q1/6K1/8/8/8/8/8 b - - 0 1|4k3/8/8/8/8/8/8/4K2R w K - 99 70|" \
    "r3k2r/8/8/8/8/8/8/R3K2R b HAha - 3 9|x|KQkq w - -|k7/8/8/8/8/8/8/7K b - e3 0 1|" \
    "QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/k6K w - - 0 1") }
BEGIN { srand(seed) }
'

# shellcheck disable=SC2016,SC2034 # for awk, chosen by name
uci='
function option() { return pick("Hash|MultiPV|Ponder|Clear Hash|Move Overhead|" \
    "UCI_Chess960|UCI_ShowWDL|UCI_AnalyseMode|UCI_Opponent|SyzygyPath|SyzygyProbeDepth|" \
    "SyzygyProbeLimit|Syzygy50MoveRule|Nonsense|") }
function value() { return pick("1|2|0|-5|true|false|33554432|999999999999999999999999|on|/nonexistent|" \
    "<empty>|a b c|") }
function moves(n,   i, s) { for (i = 0; i < n; i++) s = s " " move(); return s }
function go() { return "go " pick("infinite|ponder|depth|nodes|movetime|wtime|btime|winc|mate|perft|" \
    "movestogo|searchmoves|") " " number() " " pick("||nodes 200|depth 2|movetime 3|searchmoves" moves(3)) }
BEGIN {
    words = "uci|go|stop|position|startpos|fen|moves|setoption|name|value|ucinewgame|ponderhit|d|" \
        "eval|infinite|depth|e2e4|12|debug|on|register|\1|Hash|w|-|KQkq|searchmoves|mate"
    for (i = 0; i < lines; i++) {
        r = rand()
        if (r < 0.10) print "isready"
        else if (r < 0.25) print go()
        else if (r < 0.37) print "position startpos moves" moves(below(4))
        else if (r < 0.45) print "position fen " fen() pick("| moves" moves(2))
        else if (r < 0.47) print "setoption name Threads value " pick("1|2|3|0|-5|abc")
        else if (r < 0.60) print "setoption name " option() pick("| value " value())
        else if (r < 0.70) print pick("stop|ponderhit|ucinewgame|d|eval|uci|debug on|register later||  ")
        else if (r < 0.72) print pick("bench|genfens 3 seed 4 book None|genfens 99999999 seed x book /no|go perft 60|bench 99")
        else if (r < 0.88) salad(words, 1 + below(8))
        else if (r < 0.98) garbage(below(200))
        else if (r < 0.995) garbage(below(5000))
        else long_line(below(200000))
    }
    if (longest) long_line(longest)
    print "\nstop\nisready"
}'

# shellcheck disable=SC2016,SC2034 # for awk, chosen by name
cecp='
BEGIN {
    words = "xboard|protover|new|force|go|playother|level|st|sd|time|otim|usermove|e2e4|draw|result|" \
        "setboard|hint|bk|undo|remove|hard|easy|post|nopost|analyze|exit|.|?|memory|cores|option|" \
        "variant|fischerandom|2|\1|40|5:30|0.1|computer|rating|e7e8q|O-O"
    print "xboard\nprotover 2"
    for (i = 0; i < lines; i++) {
        r = rand()
        if (r < 0.10) print "ping " i
        else if (r < 0.35) print pick("usermove |") move()
        else if (r < 0.55) print pick("new|force|go|playother|undo|remove|hard|easy|post|nopost|analyze|" \
            "exit|.|?|hint|draw|result 1-0 {x}|computer|bk|random|name x")
        else if (r < 0.62) print "setboard " fen()
        else if (r < 0.70) print pick("st 0.01|st 0.02|sd 2|sd 3|level 40 0:01 0|level 0 0:01 0.1|time 3|otim 5|") number()
        else if (r < 0.74) print pick("memory 30|cores 2|cores 1|egtpath syzygy /no|option Hash=4|" \
            "option MultiPV=3|option X=|variant fischerandom|variant normal|variant x|protover 2")
        else if (r < 0.88) salad(words, 1 + below(5))
        else if (r < 0.98) garbage(below(200))
        else if (r < 0.995) garbage(below(5000))
        else long_line(below(200000))
    }
    if (longest) long_line(longest)
    print "\nforce\nping 424242"
}'

# make_stream uci|cecp LINES SEED LONGEST: LONGEST is the length of one more line, 0 without it.
make_stream() {
    LC_ALL=C awk -v lines="$2" -v seed="$3" -v longest="$4" "$common${!1}" </dev/null
}
