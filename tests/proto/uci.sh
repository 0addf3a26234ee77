#!/bin/bash
# UCI against the real binary: what GUIs rely on.
# shellcheck source=tests/proto/harness.bash
. "$(dirname "$0")/harness.bash"

# Sanitizers slow everything down; times are then only reported.
slow=${CASTELLAN_SLOW:-}
case $CASTELLAN in *asan* | *tsan*) slow=1 ;; esac

# within LIMIT COMMAND...: at least one run takes less than LIMIT microseconds, which the command leaves in
# $took. Other work on the machine can only add to a time, so a busy machine gets more runs.
within() {
    local limit=$1 best=999999999 i
    shift
    for ((i = 0; i < 100; i++)); do
        "$@" || return 1
        [ "$took" -lt $best ] && best=$took
        [ -n "$slow" ] || [ $best -lt "$limit" ] && return 0
    done
    because "$1 took $best us, $limit are allowed"
}

session() {
    engine_start uci && "$@" && engine_end && return 0
    local why=$reason
    engine_end
    reason=$why
    return 1
}

ready() {
    send isready
    expect '^readyok$'
}

# -- Beginning --

nothing_before_uci() {
    engine_start
    silent 0.2 || return 1
    send uci
    expect '^uciok$' || return 1
    [[ $skipped == "id name Castellan"* ]] || because "begins with ${skipped:0:40}" || return 1
    engine_end
}

start_to_uciok() {
    local begin
    begin=${EPOCHREALTIME/./}
    engine_start
    send uci
    expect '^uciok$' || return 1
    took=$((${EPOCHREALTIME/./} - begin))
    engine_end
}

starts_fast() {
    within 30000 start_to_uciok
}

declares_options() {
    send uci
    expect '^uciok$' || return 1
    local name
    for name in Hash Threads MultiPV Ponder 'Clear Hash' 'Move Overhead' UCI_Chess960 UCI_ShowWDL \
        UCI_AnalyseMode UCI_Opponent Opponent 'Opponent Seed' 'Think Time' UCI_LimitStrength UCI_Elo \
        'Skill Level' SyzygyPath SyzygyProbeDepth SyzygyProbeLimit Syzygy50MoveRule; do
        [[ $skipped == *"option name $name type "* ]] || because "no option $name" || return 1
    done
    [[ $skipped =~ 'option name Hash type spin default 16 min 1 max 33554432' ]] ||
        because "the range of Hash" || return 1
    [[ $skipped =~ 'option name UCI_Elo type spin default 1500 min 400 max 3000' ]] ||
        because "the range of UCI_Elo" || return 1
    [[ $skipped =~ 'option name Opponent type combo default castellan var castellan var ' ]] ||
        because "nobody but castellan"
}

ignores_strangers_at_first() {
    engine_start
    printf 'hello\n\n\x01\x00\xff\n' >&"$to"
    silent 0.1 || return 1
    send isready
    expect '^readyok$' || return 1
    [ -z "$skipped" ] || because "said: $skipped" || return 1
    engine_end
}

# -- Searching --

answers_isready_while_searching() {
    send 'go infinite' isready
    expect '^readyok$' || return 1
    [[ $skipped != *bestmove* ]] || because "bestmove before stop" || return 1
    send stop
    expect '^bestmove '
}

stop_to_bestmove() {
    send "go infinite"
    sleep 0.05
    ready || return 1
    local begin
    begin=${EPOCHREALTIME/./}
    send stop
    expect '^bestmove ' || return 1
    took=$((${EPOCHREALTIME/./} - begin))
}

stops_fast() {
    within 10000 stop_to_bestmove
}

infinite_waits() {
    local fen
    for fen in '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1' '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1' \
        '7k/8/5QK1/8/8/8/8/8 w - - 0 1'; do
        send "position fen $fen" 'go infinite' isready
        expect '^readyok$' || return 1
        ready && sleep 0.3 && ready || return 1
        [[ $skipped != *bestmove* ]] || because "answered before stop: $fen" || return 1
        send stop
        expect '^bestmove ' || return 1
    done
}

idle_stop_is_silent() {
    send stop stop isready
    expect '^readyok$' && [ -z "$skipped" ] || because "said: $skipped"
}

no_move_there() {
    send 'position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1' 'go depth 3'
    expect '^bestmove ' || return 1
    [ "$line" = 'bestmove (none)' ] && [[ $skipped == *'score mate 0'* ]] ||
        because "checkmate: $skipped$line" || return 1
    send 'position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1' 'go movetime 50'
    expect '^bestmove ' || return 1
    [ "$line" = 'bestmove (none)' ] && [[ $skipped == *'score cp 0'* ]] ||
        because "stalemate: $skipped$line"
}

ponder_waits_for_the_hit() {
    send 'position startpos moves e2e4 e7e5' 'go ponder wtime 1000 btime 1000 winc 10 binc 10'
    sleep 0.3
    ready || return 1
    [[ $skipped != *bestmove* ]] || because "answered while pondering" || return 1
    send ponderhit
    expect '^bestmove ' || return 1
    send 'go ponder depth 1' isready
    expect '^readyok$' || return 1
    ready || return 1
    [[ $skipped != *bestmove* ]] || because "answered at the depth" || return 1
    send stop
    expect '^bestmove '
}

new_game_while_pondering() {
    send 'position startpos' 'go ponder wtime 1000 btime 1000' ucinewgame \
        'position startpos moves d2d4' isready
    expect '^readyok$' || return 1
    [ "$(grep -c '^bestmove' <<<"$skipped")" = 1 ] || because "not one bestmove" || return 1
    send 'go depth 4'
    expect '^bestmove [a-h][78][a-h][56]' || expect '^bestmove [bg]8'
}

searchmoves_are_kept_to() {
    send 'position startpos' 'go depth 5 searchmoves a2a3 h2h3'
    expect '^bestmove ' || return 1
    [[ $line =~ ^bestmove\ (a2a3|h2h3) ]] || because "$line" || return 1
    send 'go searchmoves e2e5 b1c3 depth 3'
    expect '^bestmove ' || return 1
    [[ $line == 'bestmove b1c3'* ]] || because "$line"
}

finds_mates() {
    send 'position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' 'go mate 1'
    expect '^bestmove ' || return 1
    [[ $line == 'bestmove d1d8'* && $skipped == *'score mate 1'* ]] || because "mate in 1: $line" ||
        return 1
    # K+R+R: 1 Rb7 any 2 Ra8#
    send 'position fen 6k1/8/8/8/8/8/1R6/R5K1 w - - 0 1' 'go mate 2'
    expect '^bestmove ' || return 1
    [[ $skipped == *'score mate 2 '* ]] || because "mate in 2: $skipped"
}

odd_clocks() {
    local go
    for go in 'wtime 100' 'btime 100' 'wtime 0 btime 0' 'wtime -500 btime -500' \
        'wtime 1000 btime 1000 depth 5 movetime 200' 'movetime 0' 'depth 0' 'nodes 0' 'nodes 1' \
        'wtime 99999999999999999999 depth 2' 'wtime abc btime depth 3' 'movetime 20 movestogo 0' \
        'wtime 60000 btime 60000 movestogo 1 depth 4' 'winc 100 nodes 500'; do
        send 'position startpos moves e2e4' "go $go"
        expect '^bestmove [a-h][1-8][a-h][1-8]' || because "go $go: $reason" || return 1
    done
}

one_bestmove_each() {
    local i
    for ((i = 0; i < 20; i++)); do
        send 'go nodes 300'
        expect '^bestmove ' || return 1
    done
    send 'go depth 40' stop 'go infinite' 'go depth 1' isready
    expect '^readyok$' || return 1
    local seen
    seen=$(grep -c '^bestmove' <<<"$skipped")
    while [ "$seen" -lt 3 ]; do
        expect '^bestmove ' || return 1
        seen=$((seen + 1))
    done
    silent 0.2
}

ends_while_searching() {
    engine_start uci
    send 'go infinite' quit
    expect '^bestmove ' || return 1
    engine_end || return 1
    engine_start uci
    send 'go infinite'
    engine_end || return 1
    local work
    for work in 'go perft 9' 'bench 40' 'genfens 1000000 seed 1 book None'; do
        engine_start uci
        send "$work" quit
        engine_end || because "$work: $reason" || return 1
    done
}

tells_the_current_move() {
    send 'go infinite'
    expect '^info .* currmove ' 30 || return 1
    [[ $line =~ ^info\ depth\ [0-9]+\ currmove\ [a-h][1-8][a-h][1-8][nbrq]?\ currmovenumber\ [0-9]+$ ]] ||
        because "$line" || return 1
    [[ $skipped =~ time\ [0-9]+ ]] || because "nothing before it" || return 1
    send stop
    expect '^bestmove '
}

info_is_complete() {
    send 'setoption name UCI_ShowWDL value true' 'position startpos' 'go depth 6'
    expect '^info depth 6 ' || return 1
    local number='[0-9]+'
    [[ $line =~ ^info\ depth\ 6\ seldepth\ $number\ multipv\ 1\ score\ cp\ -?$number\ wdl\ $number\ $number\ $number\ nodes\ $number\ nps\ $number\ hashfull\ $number\ tbhits\ $number\ time\ $number\ pv\ [a-h] ]] ||
        because "$line" || return 1
    expect '^bestmove '
}

# -- Options and positions --

options_are_clamped() {
    send 'setoption name MultiPV value 999' 'position startpos' 'go depth 2'
    expect '^bestmove ' || return 1
    [[ $skipped == *' multipv 20 '* && $skipped != *' multipv 21 '* ]] ||
        because "MultiPV" || return 1
    send 'setoption name multipv value -3' 'go depth 2'
    expect '^bestmove ' || return 1
    [[ $skipped == *' multipv 1 '* && $skipped != *' multipv 2 '* ]] || because "MultiPV -3"
}

odd_options() {
    send 'setoption name SyzygyPath' 'setoption name SyzygyPath value <empty>' \
        'setoption name Clear Hash' 'setoption name Threads value 2' 'setoption name Hash value 8' \
        'setoption name Threads value 1' isready
    expect '^readyok$' && [ -z "$skipped" ] || because "said: $skipped" || return 1
    send 'setoption name Nonsense value 3' 'setoption' 'setoption name Hash value many' isready
    expect '^readyok$' || return 1
    [ "$(grep -c '^info string' <<<"$skipped")" = 3 ] || because "said: $skipped" || return 1
    send 'setoption name SyzygyPath value /nonexistent' isready
    expect '^readyok$' || return 1
    [[ $skipped == 'info string SyzygyPath: '* ]] || because "said: $skipped"
}

too_large_a_table() {
    send 'setoption name Hash value 33554432' isready
    expect '^readyok$' || return 1
    [[ $skipped == 'info string Hash: '* ]] || because "said: $skipped" || return 1
    send 'go depth 4'
    expect '^bestmove '
}

options_while_searching() {
    send 'go infinite' 'setoption name Hash value 4' 'setoption name MultiPV value 1' isready
    expect '^readyok$' 3 || return 1
    [ "$(grep -c '^bestmove' <<<"$skipped")" = 1 ] || because "not one bestmove"
}

# -- Opponents --

only_bestmove() {
    [ "$(grep -c '^bestmove' <<<"$skipped")" = "${1:-0}" ] || because "said: ${skipped:0:300}"
}

opponent_plays() {
    send 'setoption name Opponent value CAPUCHIN' 'setoption name MultiPV value 3' \
        'position startpos moves e2e4' 'go nodes 500'
    expect '^bestmove [a-h][78][a-h][56]$|^bestmove [bg]8[acfh]6$' || return 1
    [[ $skipped == *'info depth '*' pv '* && $skipped != *'multipv 2'* ]] ||
        because "said: ${skipped:0:300}" || return 1
    # It hears isready while it thinks, and ends when it is told.
    send 'go movetime 60000' isready
    expect '^readyok$' 3 && only_bestmove || return 1
    send stop
    expect '^bestmove ' 3 || return 1
    send 'go ponder wtime 60000 btime 60000' isready
    expect '^readyok$' 3 && only_bestmove || return 1
    send 'setoption name Think Time value false' ponderhit stop
    expect '^bestmove ' 3 || return 1
    send stop isready
    expect '^readyok$' && only_bestmove
}

analysis_is_castellans() {
    send 'setoption name Opponent value marmoset' 'position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' \
        'go infinite'
    expect ' score mate 1 ' || return 1
    send stop
    expect '^bestmove d1d8' || return 1
    send 'go depth 3 searchmoves h2h3'
    expect '^bestmove h2h3' || return 1
    send 'position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1' 'go nodes 10'
    expect '^bestmove \(none\)'
}

strength_is_limited() {
    local i
    send 'setoption name UCI_LimitStrength value true' 'setoption name UCI_Elo value 2000' \
        'position fen k7/8/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 1'
    for i in 1 2 3 4; do
        send 'go nodes 2000'
        expect '^bestmove a8' || return 1
    done
    [[ $skipped == *'info string resigns'* ]] || because "said: ${skipped:0:300}" || return 1
    send 'setoption name Opponent value nobody' isready
    expect '^readyok$' && [[ $skipped == "info string Opponent: no opponent 'nobody'"* ]] ||
        because "said: ${skipped:0:300}"
}

bad_positions() {
    send 'position fen nonsense w - - 0 1' 'position' 'position fen' \
        'position fen 8/8/8/8/8/8/8/8 w - - 0 1' 'position startpos moves e2e5 e7e5' isready
    expect '^readyok$' || return 1
    [ "$(grep -c '^info string' <<<"$skipped")" = 5 ] || because "said: $skipped" || return 1
    send 'go depth 2'
    expect '^bestmove '
}

castling_both_ways() {
    send 'position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1g1 e8c8' d isready
    expect '^readyok$' || return 1
    [[ $skipped == *'Fen: 2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2'* ]] || because "$skipped" || return 1
    send 'setoption name UCI_Chess960 value true' \
        'position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' 'go depth 1 searchmoves e1h1'
    expect '^bestmove ' || return 1
    [[ $line == 'bestmove e1h1'* ]] || because "$line" || return 1
    send 'setoption name UCI_Chess960 value false' \
        'position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' 'go depth 1 searchmoves e1g1'
    expect '^bestmove ' || return 1
    [[ $line == 'bestmove e1g1'* ]] || because "$line"
}

long_game() {
    local moves='' i
    for ((i = 0; i < 3000; i++)); do
        moves+=' g1f3 g8f6 f3g1 f6g8'
    done
    send "position startpos moves$moves" d 'go depth 3'
    expect '^Fen: rnbqkbnr/.* w KQkq - ' 20 || return 1
    expect '^bestmove '
}

perft_counts() {
    send 'position startpos' 'go perft 4' isready
    expect '^readyok$' || return 1
    [[ $skipped == *'Nodes searched: 197281'* ]] || expect '^Nodes searched: 197281$' || return 1
    send 'go perft 0'
    expect '^Nodes searched: 1$' || return 1
    send 'go perft 6'
    expect '^Nodes searched: 119060324$' 60 || return 1
    send 'go perft 60' isready
    expect '^readyok$' 2 || return 1
    send stop isready
    expect '^readyok$' 2 || return 1
    send 'position startpos' 'go depth 1'
    expect '^bestmove '
}

unknown_words() {
    send 'joho debug on' '' '   ' 'foo bar' 'xyz isready'
    expect '^readyok$' || return 1
    [[ $skipped == 'info string unknown command: foo bar'$'\n' ]] || because "said: $skipped"
}

# The block printed last is complete, in order of depth and score, each line with another move, and bestmove and ponder are its first two.
last_blocks() {
    local fen nodes lines all='' faults
    engine_start uci
    for lines in 1 2 4; do
        send "setoption name MultiPV value $lines"
        for nodes in 3000 3600 4100 7700 12000; do
            for fen in 'q1b1kbnr/pr2ppp1/n6B/1p1p3p/R1BPP2P/2P2PP1/1P2K2R/1N4N1 w - - 9 20' \
                'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' \
                '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' \
                'r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8' \
                '4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19'; do
                send ucinewgame "position fen $fen" "go nodes $nodes"
                expect '^bestmove ' || return 1
                all+="$skipped$line $lines"$'\n'
            done
        done
    done
    engine_end || return 1
    faults=$(awk '
        / multipv / {
            second = ""
            for (i = 1; i <= NF; i++) {
                if ($i == "multipv") n = $(i + 1)
                if ($i == "score") score = $(i + 1) == "mate" ? 100000 : $(i + 2) + 0
                if ($i == "pv") { first = $(i + 1); second = $(i + 2) }
            }
            if (n == 1) { count = 0; reply = second }
            if (n != ++count) print "line " n " after " count - 1
            for (i = 1; i < n; i++) if (move[i] == first) print "twice: " first
            if (n > 1 && $3 == depth && score > last) print "order: " $0
            last = score; depth = $3; move[n] = first
        }
        /^bestmove/ {
            searches++
            if ($2 != move[1]) print "bestmove " $2 ", not " move[1]
            if (($3 == "ponder" ? $4 : "") != reply) print $0 ", reply " reply
            if (count != $NF) print count " lines of " $NF
        }
        END { if (searches != 75) print searches " searches" }' <<<"$all")
    [ -z "$faults" ] || because "$(head -3 <<<"$faults") ($(wc -l <<<"$faults") faults)"
}

# -- The command line --

genfens_repeats() {
    local one two three
    one=$("$CASTELLAN" 'genfens 5 seed 42 book None' quit)
    two=$("$CASTELLAN" 'genfens 5 seed 42 book None' quit)
    three=$("$CASTELLAN" 'genfens 5 seed 43 book None' quit)
    [ "$(grep -cE '^info string genfens [^ ]+ [wb] [KQkq-]+ ' <<<"$one")" = 5 ] ||
        because "$one" || return 1
    [ "$one" = "$two" ] || because "differs with the same seed" || return 1
    [ "$one" != "$three" ] || because "same with another seed"
}

genfens_from_a_book() {
    local book out
    book=$(mktemp)
    printf '4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n' >"$book"
    out=$("$CASTELLAN" "genfens 3 seed 1 book $book" quit)
    rm -f "$book"
    [ "$(grep -c '^info string genfens' <<<"$out")" = 3 ] && ! grep -q '[rnbq]' <<<"${out//string/}" ||
        [ "$(grep -cE 'genfens [^rnbqRNBQ]+ [wb] ' <<<"$out")" = 3 ] || because "$out"
}

# A client takes every line that begins with "info string genfens" for a position.
genfens_errors() {
    local book out
    book=$(mktemp)
    printf '[Event "x"]\n\n1. e4 e5 1-0\n' >"$book"
    for out in "$("$CASTELLAN" "genfens 3 seed 1 book $book" quit)" "$("$CASTELLAN" 'genfens x' quit)" \
        "$("$CASTELLAN" 'genfens 3 seed 1 book /no/such.epd' quit)"; do
        [[ $out == *'info string error: genfens: '* && $out != *'info string genfens'* ]] ||
            because "$out" || return 1
    done
    rm -f "$book"
    out=$("$CASTELLAN" 'genfens 1 seed 1 book None depth=3' quit)
    [[ $out == *"unknown argument 'depth=3'"* && $out == *'info string genfens '* ]] || because "$out"
}

lines_as_arguments() {
    local out
    out=$("$CASTELLAN" 'position startpos moves e2e4' 'go depth 5' quit) || return 1
    [[ $out == *'info depth 5 '*bestmove* ]] || because "$out"
}

bench_repeats() {
    local one two
    one=$("$CASTELLAN" bench 6 | tail -n 1)
    two=$("$CASTELLAN" bench 6 | tail -n 1)
    [[ $one =~ ^[0-9]+\ nodes\ [0-9]+\ nps$ ]] || because "last line: $one" || return 1
    [ "${one%% *}" = "${two%% *}" ] || because "$one, then $two"
}

memory_at_hash_16() {
    send 'setoption name Hash value 16' 'go depth 12'
    expect '^bestmove ' 20 || return 1
    local kb
    kb=$(awk '/^VmRSS:/ { print $2 }' "/proc/$engine_pid/status")
    [ -n "$slow" ] || [ "$kb" -lt 40960 ] || because "resident $kb kB"
}

check nothing_before_uci nothing_before_uci
check start_to_uciok_in_30_ms starts_fast
check declares_options session declares_options
check ignores_strangers_at_first ignores_strangers_at_first
check answers_isready_while_searching session answers_isready_while_searching
check stop_to_bestmove_in_10_ms session stops_fast
check infinite_waits_for_stop session infinite_waits
check idle_stop_is_silent session idle_stop_is_silent
check bestmove_none session no_move_there
check ponder session ponder_waits_for_the_hit
check new_game_while_pondering session new_game_while_pondering
check searchmoves session searchmoves_are_kept_to
check mate_in_n session finds_mates
check odd_clocks session odd_clocks
check one_bestmove_per_go session one_bestmove_each
check ends_while_searching ends_while_searching
check info_line session info_is_complete
check current_move session tells_the_current_move
check options_are_clamped session options_are_clamped
check odd_options session odd_options
check too_large_a_table session too_large_a_table
check options_while_searching session options_while_searching
check opponent_plays session opponent_plays
check analysis_is_castellans session analysis_is_castellans
check strength_is_limited session strength_is_limited
check bad_positions session bad_positions
check castling_both_ways session castling_both_ways
check long_game session long_game
check perft session perft_counts
check unknown_words session unknown_words
check last_blocks last_blocks
check genfens_repeats genfens_repeats
check genfens_from_a_book genfens_from_a_book
check genfens_errors genfens_errors
check lines_as_arguments lines_as_arguments
check bench_repeats bench_repeats
check memory_under_40_mb session memory_at_hash_16
# Search parameters are options in tuning builds only, and those compile all of the sources.
parameters_are_constants() {
    local plain tuned
    [[ $(printf 'uci\nquit\n' | timeout 60 "$CASTELLAN") != *rfp_margin* ]] || because "a parameter is an option" || return 1
    cd "$(dirname "$0")/../.." || return 1
    plain=$(env -u MAKEFLAGS make -n -B BUILD=/nonexistent EXE=/nonexistent/x 2>/dev/null)
    tuned=$(env -u MAKEFLAGS make -n -B TUNE=1 BUILD=/nonexistent EXE=/nonexistent/x 2>/dev/null)
    [[ $plain == *src/tune/tune.c* && $plain != *CASTELLAN_TUNE* ]] || because "the ordinary build" || return 1
    [[ $tuned == *src/tune/tune.c* && $tuned == *CASTELLAN_TUNE* ]] || because "the tuning build"
}
check parameters_are_constants parameters_are_constants

exit $((failures > 0))
