#!/bin/bash
# The console, fed from a file: moves, words, mistakes, saving, the end of input.
# shellcheck source=tests/proto/harness.bash
. "$(dirname "$0")/harness.bash"
CASTELLAN=$(realpath "$CASTELLAN")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_DATA_HOME=$work/data

# console LINE...: what it says to those lines goes to $said.
console() {
    said=$(printf '%s\n' "$@" | timeout 60 "$CASTELLAN" play 2>&1) || because "status $?"
}

says() {
    [[ $said == *"$1"* ]] || because "no '$1' in: ${said: -400}"
}

plays() {
    console 'level 1' e4 quit && says 'Level 1' && says 'Castellan plays 1... ' || return 1
    console 'level 1' g1f3 && says 'Castellan plays 1... ' || return 1
    console 'level 1' 'new black' && says 'Castellan plays 1. '
}

undoes() {
    console 'level 1' e4 d4 undo undo fen undo quit &&
        says 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' && says 'no move to take back'
}

helps() {
    console help hint moves board eval level quit && says 'save' && says 'Consider ' &&
        says '20 moves: ' && says 'score ' && says ' a b c d e f g h'
}

is_friendly() {
    console e5 xyzzy 'fen nonsense' 'level 99' 'set Hash x' 'set Nonsense 1' 'set Hash 4' '' quit &&
        says 'e5' && says '"xyzzy"' && says 'Levels go from 1 to 10' && says "no option 'Nonsense" &&
        says 'Done.'
}

ends_games() {
    console 'level 1' 'fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' Rd8 e4 quit &&
        says 'Checkmate: White wins.' || return 1
    console 'fen 7k/8/6K1/8/8/8/5Q2/8 w - - 0 1' Qf7 go quit && says 'Draw: stalemate.'
}

saves() {
    console 'level 1' e4 save 'save named.pgn' save 'save /nonexistent/x.pgn' quit || return 1
    says 'Saved in castellan-' && says 'Saved in named.pgn' && says 'x.pgn: ' || return 1
    [ "$(find . -name 'castellan-*.pgn' | wc -l)" = 2 ] || because "not two fresh names" || return 1
    grep -q '^1\. e4 [a-hNBRQKO]' named.pgn && grep -q 'White "Player"' named.pgn || because "PGN" ||
        return 1
    "$CASTELLAN" pgn named.pgn | tail -n 1 | grep -q '^1 games, 2 moves, 0 errors$' ||
        because "the file does not read back"
}

ends_with_input() {
    timeout 10 "$CASTELLAN" play </dev/null >out || because "status $?" || return 1
    grep -q '^White>' out || because "no prompt"
}

check plays plays
check undoes undoes
check helps helps
check is_friendly is_friendly
check ends_games ends_games
check saves saves
check ends_with_input ends_with_input
exit $((failures > 0))
