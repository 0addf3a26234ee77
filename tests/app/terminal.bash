# For tests of castellan play in a terminal (tmux): sourced. $CASTELLAN is the binary.
set -uo pipefail
CASTELLAN=$(realpath "${CASTELLAN:-./castellan}")
if ! command -v tmux >/dev/null; then
    echo "skip terminal: tmux is not there"
    exit 0
fi
work=$(mktemp -d)
terminals=0
# A server for each terminal: one that ends must not take the next one with it.
mux() { tmux -S "$work/socket$terminals" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$work/data
unset NO_COLOR
WAIT=40 # seconds at most, on a machine that is busy with other things
why=''

# open_terminal TERM WIDTH HEIGHT ARGUMENT...: a shell that plays and then tells how the terminal was left.
open_terminal() {
    local term=$1 width=$2 height=$3
    shift 3
    mux kill-server 2>/dev/null
    terminals=$((terminals + 1))
    rm -f before after
    cat >shell <<END
cd "$work"
echo READY
stty -a >before
TERM=$term "$CASTELLAN" play $*
echo "STATUS \$?"
stty -a >after
echo DONE
exec sleep 600
END
    mux new-session -d -x "$width" -y "$height" -e TMPDIR="$work" bash shell
}

screen() { mux capture-pane -p 2>/dev/null; }

# sees PATTERN: waits until the screen shows it.
sees() {
    local end=$((SECONDS + WAIT))
    while ! screen | grep -qE -- "$1"; do
        if [ $SECONDS -ge $end ]; then
            why="no '$1' on: $(screen | grep . | head -c 1500)"
            return 1
        fi
        sleep 0.05
    done
}

keys() { mux send-keys "$@"; }

# plays MOVE SHOWN: types a move and waits until the list of moves has it.
plays() {
    keys -l "$1"
    keys Enter
    sees "$2"
}

# The shell has its terminal back as it was: modes, cursor, mouse, the first screen.
is_clean() {
    sees '^DONE' && sees '^STATUS 0' || return 1
    # A window of another size is none of the program's doing.
    diff <(sed '1s/rows.*//' before) <(sed '1s/rows.*//' after) >modes ||
        { why="other modes: $(cat modes)"; return 1; }
    local left
    left=$(mux display-message -p '#{alternate_on}#{mouse_any_flag}#{keypad_flag}#{keypad_cursor_flag}#{cursor_flag}')
    [ "$left" = 00001 ] || { why="screen, mouse, keypad, keys, cursor are $left, not 00001"; return 1; }
}

# game_has TEXT: in the newest saved game, without line ends.
# The one written last; two games of the same second differ only by a number in their names.
newest() { find data -name '*.pgn' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2; }
game_has() {
    local text
    text=$(tr '\n' ' ' <"$(newest)")
    [[ $text == *"$1"* ]] || { why="no '$1' in: $text"; return 1; }
}

result() { # STATUS NAME
    if [ "$1" = 0 ]; then echo "ok $2"; else echo "not ok $2: $why"; fi
    why=''
}
