# What the tests of commands share; sourced first. The rest of the script runs in a folder of its own that
# vanishes at its end. A script that tests one command names it in $tested.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
tested=''
why='' # the last check failed, when it can say more than the output does

# run WANTED_STATUS ARGUMENTS...: runs the program, leaves out, err and $status to look at.
run() {
    local want=$1
    shift
    timeout 120 "$CASTELLAN" ${tested:+"$tested"} "$@" >out 2>err </dev/null
    status=$?
    [ "$status" = "$want" ] || { why="exit code $status, not $want: $(head -c 300 err)"; return 1; }
}

said() { # PATTERN [FILE]
    grep -qE -- "$1" "${2:-out}" || { why="no '$1' in ${2:-out}: $(tail -c 400 "${2:-out}")"; return 1; }
}

same() { # FILE TEXT
    [ "$(cat "$1")" = "$2" ] || { why="$1 is '$(head -c 300 "$1")', not '$2'"; return 1; }
}

complains() { # WANTED_STATUS PATTERN ARGUMENTS...: one line on stderr, nothing on stdout
    local want=$1 pattern=$2
    shift 2
    run "$want" "$@" && said "^castellan: ${tested:-$1}: .*$pattern" err && [ "$(wc -l <err)" = 1 ] &&
        [ ! -s out ]
}

# until_true COMMAND...: waits until it succeeds, a minute at most.
until_true() {
    local i
    for ((i = 0; i < 1200; i++)); do
        "$@" 2>/dev/null && return 0
        sleep 0.05
    done
    why="after a minute still not: $*"
    return 1
}

# A process that has just begun would be killed by SIGTERM: true when it takes the signal itself.
takes_sigterm() { # PID
    local caught
    caught=$(sed -n 's/^Sig\(Blk\|Cgt\):\t*/0x/p' "/proc/$1/status" | paste -sd'|')
    [ -n "$caught" ] && ((($caught) & 0x4000))
}

# asks PATTERN: gives what is in the file `in`, and keeps the input open until `out`, which was empty, has the pattern.
asks() {
    cat in
    until_true grep -qE -- "$1" out
}

result() { # STATUS NAME
    if [ "$1" = 0 ]; then echo "ok $2"; else echo "not ok $2: ${why:-$(tail -c 600 out err)}"; fi
    why=''
}
