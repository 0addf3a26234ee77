#!/bin/bash
# castellan play in a real terminal (tmux), on three kinds of it: a whole game with castling, en passant, promotion
# and takeback, another window size in the middle, Ctrl-C, going on later, an opponent. Whatever is waited
# for is text on the screen, never time.
. "$(dirname "$0")/terminal.bash"

# Black takes en passant and promotes, White castles, takes a move back and mates.
whole_game() {
    open_terminal "$1" 80 24 --white human --black human && sees '\? menu' || return 1
    plays e4 '1\. e4' && plays a5 '1\. e4 +a5' && plays Nf3 '2\. Nf3' && plays a4 '2\. Nf3 +a4' &&
        plays b4 '3\. b4' && plays axb3 '3\. b4 +axb3' && plays Bc4 '4\. Bc4' || return 1
    # The smallest window, and a move in it; then the old one, with everything there.
    mux resize-window -x 20 -y 10
    sees '^8 +[r♜]' && sees '^ +a b c d e f g h *$' || return 1
    plays bxa2 'White to move' || return 1
    mux resize-window -x 19 -y 9
    sees '20x10' || return 1
    mux resize-window -x 80 -y 24
    sees '4\. Bc4 +bxa2' && sees '3\. b4 +axb3' && sees '\? menu' || return 1
    plays O-O '5\. O-O' || return 1
    keys -l axb1
    keys Enter
    sees 'Promote to' || return 1
    keys q
    sees '5\. O-O +axb1=Q' && plays Rxb1 '6\. Rxb1' && plays f7f6 '6\. Rxb1 +f6' && plays d4 '7\. d4' || return 1
    keys C-t
    sees 'Taken back' && ! screen | grep -q '7\. d4' || { why=${why:-the move stays}; return 1; }
    plays d4 '7\. d4' && plays g5 '7\. d4 +g5' && plays e5 '8\. e5' || return 1
    plays undo 'Taken back' || return 1
    plays Nxg5 '8\. Nxg5' && plays fxg5 '8\. Nxg5 +fxg5' && plays 'Qh5' 'Checkmate: White wins' || return 1
    keys C-c
    is_clean && sees '^Checkmate: White wins\. 1-0\.' && sees 'saved in' || return 1
    game_has '1. e4 a5 2. Nf3 a4 3. b4 axb3 4. Bc4 bxa2 5. O-O axb1=Q 6. Rxb1 f6 7. d4 g5 8. Nxg5 fxg5 9. Qh5# 1-0' &&
        game_has '[Result "1-0"]'
}

# Ctrl-C in the middle loses nothing; --resume goes on, in the same file.
interrupted() {
    open_terminal "$1" 80 24 --white human --black human --time 5+3 && sees '\? menu' || return 1
    plays e4 '1\. e4' && plays e5 '1\. e4 +e5' || return 1
    keys -l Nf
    keys C-c
    is_clean && sees 'resume' && game_has '1. e4' && game_has '[Result "*"]' || return 1
    local file
    file=$(newest)
    open_terminal "$1" 80 24 --resume && sees '1\. e4 +e5' && plays Nf3 '2\. Nf3' || return 1
    keys -l resign
    keys Enter
    sees 'Resign\?' || return 1
    keys y
    sees 'Black resigns: White wins' || return 1
    keys -l quit
    keys Enter
    is_clean || return 1
    [ "$(newest)" = "$file" ] || { why="another file: $(newest)"; return 1; }
    game_has '2. Nf3' && game_has 'e5 {[%clk 0:05:0' && game_has '[Result "1-0"]' &&
        game_has '[TimeControl "300+3"]'
}

for term in xterm-256color vt100 linux; do
    whole_game $term
    result $? "a whole game on $term"
    interrupted $term
    result $? "Ctrl-C and going on on $term"
done

# Arrow keys find e2 under the cursor; the mouse drags on xterm; figures are no letters there.
hands() {
    open_terminal xterm-256color 80 24 --white human --black human && sees '\? menu' || return 1
    keys Up
    sees '\[♟.*\]' || return 1
    keys Enter Up Up
    sees '\[•\]' || return 1
    keys Enter
    sees '1\. e4' || return 1
    # Press and release in SGR's way: column 26 is the e-file, lines 5 and 9 are e7 and e5.
    keys -l $'\e[<0;26;5M'
    sees '\{♟.*\}' || return 1
    keys -l $'\e[<0;26;9m'
    sees '1\. e4 +e5' || return 1
    screen | grep -q '♟' || { why='no figures'; return 1; }
    keys C-f
    sees '^ *1 ' && screen | head -n 4 | grep -q '^ *1 ' || { why='not turned'; return 1; }
    keys '?'
    sees 'Ctrl-G' || return 1
    keys Escape
    keys C-g
    sees 'Hint: ' || return 1
    keys C-a
    sees 'Analysis, depth' || return 1
    local shell children
    shell=$(mux display-message -p '#{pane_pid}')
    read -r children <"/proc/$shell/task/$shell/children"
    kill -TERM $children
    is_clean
}
hands
result $? "arrow keys, mouse, menu, hint, lines, SIGTERM"

letters() {
    open_terminal xterm-256color 60 24 --white human --black human --ascii --theme mono && sees '\? menu' || return 1
    plays e4 '1\. e4' && ! screen | grep -qP '[^\x00-\x7f]' || { why="${why:-not only ASCII}"; return 1; }
    keys C-c
    is_clean
}
letters
result $? "ASCII alone"

# What a menu explains is there in a small window, too, whole.
small_menu() {
    open_terminal xterm-256color 40 15 --white human --black human && sees '\? menu' || return 1
    keys '?'
    sees 'take your last move back' || return 1
    keys Down Down Down Down
    sees 'a new game \(new black: your side\)' || return 1
    mux resize-window -x 20 -y 10
    sees 'a new game \(new' && sees 'side\)' || return 1
    keys Escape
    keys C-o
    sees 'You: White \(Tab\)' || return 1
    keys Escape C-c
    is_clean
}
small_menu
result $? "the menu in small windows"

# Players that cannot be kept: said once, and no game.
printf '' >lines && mkdir -p data/castellan/players
"$CASTELLAN" play --plain --elo adapt <lines >out 2>err
[ $? = 1 ] && [ "$(cat out err | grep -c 'castellan/players')" = 1 ]
result $? "trouble with the players' file is told once"
rm -rf data/castellan/players

opponent() {
    open_terminal linux 80 24 --opponent mantis-random --seed 7 && sees '\? menu' || return 1
    plays e4 'plays 1\.\.\. ' || return 1
    keys C-o
    sees 'A new game against' || return 1
    keys End Enter
    sees 'A new game\.' && plays d4 '1\. d4' && plays d5 '1\. d4 +d5' || return 1
    keys C-c
    is_clean
}
opponent
result $? "an opponent, and the choice of another"

# A terminal that can do nothing gets lines, and is told once.
open_terminal dumb 80 24 && sees 'full screen not available, using lines' && keys -l quit && keys Enter && sees '^STATUS 0'
result $? "a dumb terminal gets lines"

# Two programs play to the end, without a terminal; the same seed plays the same game again.
programs() {
    local games=()
    rm -rf data
    for _ in 1 2; do
        timeout 60 "$CASTELLAN" play --white marmoset --black 400 --seed 5 </dev/null >out ||
            { why="status $?"; return 1; }
        tail -n 1 out | grep -qE '(1-0|0-1|1/2-1/2)\. The game was saved in .*\.pgn$' ||
            { why="last line: $(tail -n 1 out)"; return 1; }
        games+=("$(grep -v '^\[' "$(newest)")")
    done
    [ "${games[0]}" = "${games[1]}" ] || { why="other moves: ${games[*]}"; return 1; }
}
programs
result $? "two programs play a game, and the same one again"
