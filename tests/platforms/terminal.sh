#!/bin/bash
# The full-screen board on another platform, in tmux: a whole game by typed moves, by arrow keys, the menu, the choice of an
# opponent, a hint, lines, Ctrl-C and going on. The size of the window and the mouse stay as they are: wine's console
# passes neither on from a terminal.
. "$(dirname "$0")/../app/terminal.bash"
WAIT=120 # seconds at most: emulators start slowly

leave() {
    keys -l quit
    keys Enter
    sees '^DONE' && sees '^STATUS 0'
}

whole_game() {
    open_terminal xterm-256color 80 24 --white human --black human && sees '\? menu' || return 1
    plays e4 '1\. e4' && plays a5 '1\. e4 +a5' && plays Nf3 '2\. Nf3' && plays a4 '2\. Nf3 +a4' &&
        plays b4 '3\. b4' && plays axb3 '3\. b4 +axb3' && plays Bc4 '4\. Bc4' && plays bxa2 '4\. Bc4 +bxa2' &&
        plays O-O '5\. O-O' || return 1
    keys -l axb1
    keys Enter
    sees 'Promote to' || return 1
    keys q
    sees '5\. O-O +axb1=Q' && plays Rxb1 '6\. Rxb1' && plays f7f6 '6\. Rxb1 +f6' && plays d4 '7\. d4' || return 1
    plays undo 'Taken back' && plays d4 '7\. d4' && plays g5 '7\. d4 +g5' && plays Nxg5 '8\. Nxg5' &&
        plays fxg5 '8\. Nxg5 +fxg5' && plays Qh5 'Checkmate: White wins' || return 1
    leave && sees 'Checkmate: White wins\. 1-0\.' && sees 'saved in' || return 1
    game_has '5. O-O axb1=Q 6. Rxb1 f6 7. d4 g5 8. Nxg5 fxg5 9. Qh5# 1-0'
}
whole_game
result $? "a whole game on the full screen"

by_keys() {
    open_terminal xterm-256color 80 24 --white human --black human && sees '\? menu' || return 1
    keys Up
    sees '\[P\]|\[♟.*\]' || return 1
    keys Enter Up Up
    sees '\[[·•]\]' || return 1
    keys Enter
    sees '1\. e4' && plays e5 '1\. e4 +e5' || return 1
    keys PPage
    sees 'Move 1 of 2' || return 1
    keys NPage
    keys C-f
    sees '^ *h *1|^ *1 ' || return 1
    keys '?'
    sees 'take your last move back' || return 1
    keys Escape
    keys C-g
    sees 'Hint: ' || return 1
    keys C-a
    sees 'Analysis, depth' || return 1
    leave
}
by_keys
result $? "arrow keys, menu, hint, lines"

interrupted() {
    open_terminal xterm-256color 80 24 --white human --black human --time 5+3 && sees '\? menu' || return 1
    plays e4 '1\. e4' && plays e5 '1\. e4 +e5' || return 1
    keys C-c
    sees '^DONE' && sees '^STATUS 0' && sees 'resume' && game_has '[Result "*"]' || return 1
    open_terminal xterm-256color 80 24 --resume && sees '1\. e4 +e5' && plays Nf3 '2\. Nf3' || return 1
    leave && game_has '2. Nf3' && game_has '[TimeControl "300+3"]'
}
interrupted
result $? "Ctrl-C and going on"

opponent() {
    open_terminal xterm-256color 80 24 --opponent mantis-random --seed 7 && sees '\? menu' || return 1
    plays e4 'plays 1\.\.\. ' || return 1
    keys C-o
    sees 'A new game against' || return 1
    keys NPage Enter
    sees 'A new game\.' && plays d4 '1\. d4' && plays d5 '1\. d4 +d5' && leave
}
opponent
result $? "an opponent, and the choice of another"
