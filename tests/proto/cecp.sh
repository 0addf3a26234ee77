#!/bin/bash
# CECP against the real binary: what xboard relies on.
# shellcheck source=tests/proto/harness.bash
. "$(dirname "$0")/harness.bash"

session() {
    engine_start && send xboard 'protover 2' && expect '^feature done=1$' && "$@" && engine_end &&
        return 0
    local why=$reason
    engine_end
    reason=$why
    return 1
}

pong() {
    pings=$((${pings:-0} + 1))
    send "ping $pings"
    expect "^pong $pings\$" "${1:-10}"
}

said() {
    [[ $skipped =~ $1 ]] || because "no '$1' in: ${skipped:0:300}"
}

quiet() {
    [[ ! $skipped =~ $1 ]] || because "'$1' in: ${skipped:0:300}"
}

tells_features() {
    engine_start
    silent 0.1 || return 1
    send xboard 'protover 2'
    expect '^feature done=1$' || return 1
    [[ $skipped == 'feature done=0'* ]] || because "begins with ${skipped:0:40}" || return 1
    local feature
    for feature in ping=1 setboard=1 playother=1 usermove=1 colors=0 sigint=0 sigterm=0 reuse=1 \
        analyze=1 debug=1 memory=1 smp=1 nps=1 'egt="syzygy"' 'variants="normal,fischerandom"' \
        'option="Hash -spin 16 1 33554432"' 'option="ClearHash -button"' 'option="Ponder -check 0"'; do
        [[ $skipped == *"$feature"* ]] || because "no feature $feature" || return 1
    done
    send quit
    engine_end
}

answers_a_move() {
    send new 'level 40 5 0' post 'time 1000' 'otim 1000' 'usermove e2e4'
    expect '^move [a-h][1-8][a-h][1-8]$' 20 || return 1
    said '(^|'$'\n'')[0-9]+ -?[0-9]+ [0-9]+ [0-9]+ [A-Za-z]'
}

plays_both_sides() {
    send new 'sd 3' nopost go
    expect '^move ' || return 1
    [ -z "$skipped" ] || because "nopost, but said $skipped" || return 1
    send force 'usermove a7a6' playother
    pong || return 1
    quiet '^move' || return 1
    send 'usermove a2a3'
    pong || return 1
    quiet 'Illegal' && said 'move '
}

keeps_quiet_in_force() {
    send new force 'usermove e2e4' 'usermove e7e5'
    pong || return 1
    [ -z "$skipped" ] || because "said $skipped"
}

refuses_bad_input() {
    send new force 'usermove e2e5' 'usermove' 'foo bar' 'setboard nonsense' 'e7e5' 'variant suicide'
    pong || return 1
    said 'Illegal move: e2e5' && said 'Error \(unknown command\): foo bar' &&
        said 'tellusererror Illegal position' && said 'Error \(unknown command\): e7e5' &&
        said 'Error \([a-z ]*\): variant suicide'
}

takes_bare_moves() {
    send new force e2e4 e7e5 Nf3 undo undo undo undo
    pong || return 1
    [[ $(grep -c Error <<<"$skipped") = 1 ]] && said 'Error.*undo'
}

pong_waits_for_the_move() {
    send new "st 1" "usermove e2e4" "ping 77"
    expect '^pong 77$' || return 1
    said 'move ' || return 1
    send "st 20" "usermove d2d4" "?" "ping 78"
    expect "^pong 78\$" 15 || return 1
    said 'move '
}

announces_results() {
    # Mate in one for White, to be played by the engine.
    send new force 'setboard 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' 'sd 4' go
    expect '^1-0 \{White mates\}$' || return 1
    said 'move d1d8' || return 1
    # The user mates.
    send new force 'usermove f2f3' 'usermove e7e5' 'usermove g2g4' go
    expect '^move ' || return 1
    send new force 'usermove f2f3' 'usermove e7e5' 'usermove g2g4' 'playother' 'usermove d8h4'
    expect '^0-1 \{Black mates\}$' || return 1
    # Stalemate by the user.
    send new force 'setboard 7k/8/6K1/8/8/8/5Q2/8 w - - 0 1' playother 'usermove f2f7'
    expect '^1/2-1/2 \{' || return 1
    # The third repetition, made by the user: claimed.
    send new force 'usermove g1f3' 'usermove g8f6' 'usermove f3g1' 'usermove f6g8' \
        'usermove g1f3' 'usermove g8f6' 'usermove f3g1' playother 'usermove f6g8'
    expect '^1/2-1/2 \{.*repetition' || return 1
    pong && quiet '^move'
}

resigns() {
    local move
    send new easy force "setboard k7/8/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 1" "sd 2" go
    for move in h2h3 a2a3 g2g3 b2b3; do
        expect "^(move |resign)" || return 1
        [ "$line" = resign ] && return 0
        send "usermove $move"
    done
    expect "^resign\$"
}

accepts_a_draw() {
    # The engine is a queen down: it takes the draw. A queen up: it does not.
    send new force 'setboard 4k3/8/8/8/8/8/3Q4/4K3 b - - 0 1' 'sd 3' go
    expect '^move ' || return 1
    send draw
    pong || return 1
    said 'offer draw' || return 1
    send new force 'setboard 4k3/8/8/8/8/8/3q4/7K b - - 0 1' 'sd 3' go
    expect '^move ' || return 1
    send draw
    pong && quiet 'offer draw'
}

has_opponents() {
    send new 'option Opponent=adaptive' post 'sd 2' 'usermove e2e4'
    expect '^move ' && said '(^|'$'\n'')[0-9]+ -?[0-9]+ [0-9]+ [0-9]+ [A-Za-z]' || return 1
    # It takes a draw when it stands worse.
    send new force 'setboard 4k3/8/8/8/8/8/3Q4/4K3 b - - 0 1' 'sd 2' go
    expect '^move ' || return 1
    send draw
    pong && said 'offer draw' || return 1
    send new force 'setboard 4k3/8/8/8/8/8/3q4/7K b - - 0 1' 'sd 2' go
    expect '^move ' || return 1
    send draw
    pong && quiet 'offer draw' || return 1
    send 'option Opponent=nobody'
    pong && said "# Opponent: no opponent 'nobody'"
}

draw_while_thinking() {
    # Asked before the move or just after it, whichever comes first here: the answer comes.
    send 'option Opponent=adaptive' new force 'setboard 4k3/8/8/8/8/8/3Q4/4K3 b - - 0 1' 'sd 2' go draw
    expect '^offer draw$' || return 1
    send new force 'setboard 4k3/8/8/8/8/8/3Q4/4K3 b - - 0 1' 'option Opponent=castellan' 'st 2' go draw
    expect '^offer draw$' && expect '^move '
}

level_resigns() {
    local move
    send new easy 'option UCI_Elo=2000' 'option UCI_LimitStrength=1' force \
        'setboard k7/8/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 1' 'sd 4' go
    for move in h2h3 a2a3 g2g3 b2b3 h3h4 a3a4; do
        expect '^(move |resign)' || return 1
        [ "$line" = resign ] && return 0
        send "usermove $move"
    done
    because "played on"
}

# A ponder search says nothing until the expected move is made; then its lines come.
ponders() {
    send new hard post 'level 0 1 0' 'time 6000' 'otim 6000' 'st 1' 'usermove e2e4'
    expect '^move ' && silent 0.5 || return 1
    pong && quiet '^[0-9]' || return 1
    send hint
    expect '^Hint: ' || return 1
    local guess=${line#Hint: }
    quiet '^[0-9]' || return 1
    send "usermove $guess"
    expect '^[0-9]+ -?[0-9]+ [0-9]+ [0-9]+ ' && expect '^move ' && silent 0.3 || return 1
    send easy 'ping 5'
    expect '^pong 5$' && silent 0.2
}

analyses() {
    send new analyze
    expect '^[0-9]+ -?[0-9]+ [0-9]+ [0-9]+ ' || return 1
    send .
    expect '^stat01: [0-9]+ [0-9]+ [0-9]+ [0-9]+ 20' || return 1
    send 'usermove e2e4' .
    expect '^stat01: ' || return 1
    send undo 'setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1'
    expect '^[0-9]+ [0-9]+ [0-9]+ [0-9]+ ' || return 1
    send exit 'ping 9'
    expect '^pong 9$' || return 1
    silent 0.2 && send exit && expect '^Error'
}

gives_hints() {
    send new hint
    expect '^Hint: [a-h][1-8][a-h][1-8]$'
}

castles_in_960() {
    send new 'variant fischerandom' force 'setboard 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1' \
        'usermove O-O' 'usermove O-O-O'
    pong || return 1
    [ -z "$skipped" ] || because "said $skipped"
}

# Names are single words, so that no client takes one for another.
option_names() {
    local name names
    send 'protover 2'
    expect '^feature done=1$' || return 1
    names=$(sed -n 's/^feature option="\([^"]*\) -\(check\|spin\|combo\|button\|string\).*/\1/p' <<<"$skipped")
    [ "$(wc -l <<<"$names")" -ge 20 ] || because "few names: $names" || return 1
    [[ $names != *' '* ]] || because "a name with a space" || return 1
    [ -z "$(sort <<<"$names" | uniq -d)" ] || because "a name twice" || return 1
    send 'option MoveOverhead=50' 'option Move Overhead=60' 'option OpponentSeed=3' 'option ClearHash'
    pong && quiet 'Error'
}

# "nps" makes nodes the measure of time: so many for each second of "st".
counts_time_in_nodes() {
    local nodes
    send new post 'nps 1' 'st 4000' 'usermove e2e4'
    expect '^move ' || return 1
    nodes=$(grep -E '^[0-9]+ -?[0-9]+ [0-9]+ [0-9]+ ' <<<"$skipped" | tail -1 | cut -d' ' -f4)
    [ "${nodes:-0}" -gt 0 ] && [ "$nodes" -le 8000 ] || because "$nodes nodes" || return 1
    # The next time control is by the clock again.
    send 'st 0.2' 'usermove d2d4'
    expect '^move '
}

takes_settings() {
    send new 'memory 64' 'cores 2' 'egtpath syzygy /nonexistent' 'option Hash=8' \
        'option Clear Hash' 'option UCI_ShowWDL=1' 'computer' 'name Somebody' 'rating 2000 1900' \
        'random' 'accepted ping' 'nps 0' 'ics -' 'otim 500' 'time 500' 'result 1-0 {x}' 'bk' 'cores 1'
    pong || return 1
    quiet 'Error' || return 1
    send 'option Nonsense=3'
    pong && said 'Error'
}

survives_odd_orders() {
    send force undo remove exit . '?' hint draw 'result *' go '?' force 'time abc' 'level x' 'st' \
        'sd -1' 'ping' playother playother analyze analyze go new
    pong 20
}

check features tells_features
check answers_a_move session answers_a_move
check plays_both_sides session plays_both_sides
check force session keeps_quiet_in_force
check bad_input session refuses_bad_input
check bare_moves_and_undo session takes_bare_moves
check pong_waits session pong_waits_for_the_move
check results session announces_results
check resigns session resigns
check draw session accepts_a_draw
check opponents session has_opponents
check draw_while_thinking session draw_while_thinking
check level_resigns session level_resigns
check ponder session ponders
check analyze session analyses
check hint session gives_hints
check chess960 session castles_in_960
check settings session takes_settings
check option_names session option_names
check nps session counts_time_in_nodes
check odd_orders session survives_odd_orders
exit $((failures > 0))
