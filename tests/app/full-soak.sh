#!/bin/bash
# A soak test of SECONDS (first argument, 3600 unless given): what runs for days must neither grow, nor lose
# anything, nor touch memory that is not its own. All parts run at the same time:
#
#   server     visitors come and go, play, review, import, analyse, and are away now and then: its memory at rest stays flat
#   killed     the same against a sanitized server that is killed at random: no acknowledged move is lost
#   engine     one engine gets random command streams for the whole time: its memory stays flat
#   streams    the same streams, and both protocols, against the sanitized program
#   selfplay   sanitized self-play is killed and resumed at random: no game is lost or damaged
#
#   CASTELLAN=./castellan SANITIZED=build/asan/castellan TOOLS=build/test/tests/tools tests/app/full-soak.sh 300
#
# Flat: the median of the last third of the samples is at most 10 % above that of the second third; the first one is the
# warm-up. The engine is measured in the same state each time, the server at rest: it says itself when nothing is loaded,
# waits or runs any more and freed memory is returned. A sample is the anonymous memory, without pages of files.
#
# On a busy machine the test takes longer instead of failing: it ends when the time is over and there are enough samples.
# SEED chooses the course, PARTS="server engine" runs those only.
set -uo pipefail
duration=${1:-3600}
here=$(cd "$(dirname "$0")/.." && pwd)
CASTELLAN=$(realpath "${CASTELLAN:-./castellan}")
SANITIZED=$(realpath "${SANITIZED:-build/asan/castellan}")
TOOLS=$(realpath "${TOOLS:-build/test/tests/tools}")
RANDOM=${SEED:-1}
# shellcheck source=tests/proto/streams.bash
. "$here/proto/streams.bash"
export UBSAN_OPTIONS=print_stacktrace=1
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT
until=$((SECONDS + duration))
# Whoever builds meanwhile changes nothing.
cp "$CASTELLAN" "$work/castellan" && CASTELLAN=$work/castellan
cp "$SANITIZED" "$work/sanitized" && SANITIZED=$work/sanitized
cp "$TOOLS/websoak" "$work/websoak" && TOOLS=$work

left() { echo $((until - SECONDS)); }

result() { # STATUS NAME FIGURES
    if [ "$1" = 0 ]; then echo "ok $2: $3"; else echo "not ok $2: $3"; fi
    return "$1"
}

# -- Memory --

memory() { # PID: anonymous resident KB, all resident KB, threads
    awk '/^VmRSS/ { all = $2 } /^RssAnon/ { own = $2 } /^Threads/ { print own, all, $2 }' "/proc/$1/status" 2>/dev/null
}

least=9 # samples: three in each third

samples() { # FILE: how many
    if [ -f "$1" ]; then wc -l <"$1"; else echo 0; fi
}

is_flat() { # FILE: prints the figures; fails when the memory has grown
    awk -v least=$least '{ kb[NR] = $1; if ($2 > most) most = $2; if ($3 > threads) threads = $3 }
        function median(from, to,   i, j, n, x, v) {
            for (i = from; i <= to; i++) {
                x = kb[i]
                for (j = n++; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1]
                v[j] = x
            }
            return (v[int((n - 1) / 2)] + v[int(n / 2)]) / 2
        }
        END {
            if (NR < least) { print "only " NR " samples"; exit 1 }
            third = int(NR / 3)
            early = median(NR - 2 * third + 1, NR - third); late = median(NR - third + 1, NR)
            printf "%.1f MB in the second third, %.1f MB in the last (%+.1f %%, %d samples), %.1f MB with the pages of files, %d threads",
                early / 1024, late / 1024, 100 * (late / early - 1), NR, most / 1024, threads
            exit late > 1.1 * early }' "$1"
}

# -- Servers --

start_server() { # PROGRAM DIR PORT [OPTIONS...]: leaves $server and $port
    local program=$1 dir=$2 wanted=$3
    shift 3
    : >"$dir/out"
    "$program" web --port "$wanted" --data "$dir/data" --no-open "$@" >"$dir/out" 2>>"$dir/err" </dev/null &
    server=$!
    port=''
    for _ in {1..3000}; do
        port=$(sed -n 's|^listening on http://127.0.0.1:\([0-9]*\)/$|\1|p' "$dir/out" 2>/dev/null)
        [ -n "$port" ] && return 0
        kill -0 "$server" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}

# A port at which the server can be started again: not one that the system gives to connections of others meanwhile.
start_at_fixed_port() { # PROGRAM DIR
    for _ in {1..20}; do
        start_server "$1" "$2" $((20000 + RANDOM % 10000)) && return 0
    done
    return 1
}

start_visitors() { # DIR COUNT SECONDS
    local i
    visitors=()
    for ((i = 1; i <= $2; i++)); do
        "$TOOLS/websoak" "$port" visit "$3" $((RANDOM * 100 + i)) "$1/ledger-$i" \
            >>"$1/visitor-$i" 2>>"$1/visitor-$i.err" &
        visitors+=($!)
    done
}

# Adds up "12 visits, 40 moves, ..." of all visitors.
visitors_sum() { # DIR
    cat "$1"/visitor-? | awk '{ n = split($0, part, ", "); for (i = 1; i <= n; i++) { split(part[i], w, " ");
        name = substr(part[i], length(w[1]) + 2); sum[name] += w[1]; if (!(name in at)) { at[name] = ++k; list[k] = name } } }
        END { for (i = 1; i <= k; i++) printf "%s%d %s", (i > 1 ? ", " : ""), sum[list[i]], list[i] }'
}

# Ends the server as a user would; a sanitizer that has found something makes the status wrong.
stop_server() {
    kill -TERM "$server" 2>/dev/null
    wait "$server"
}

soak_server() {
    local dir=$work/server failed=0 pid figures most=0 now visit=$((duration / 20))
    visit=$((visit < 5 ? 5 : visit > 60 ? 60 : visit))
    mkdir "$dir"
    start_server "$CASTELLAN" "$dir" 0 --idle 2 || { result 1 server "does not listen: $(tail -c 300 "$dir/err")"; return 1; }
    while [ $failed = 0 ] && { [ "$(left)" -gt 0 ] || [ "$(samples "$dir/rests")" -lt $least ]; }; do
        start_visitors "$dir" 4 $visit
        while kill -0 "${visitors[@]}" 2>/dev/null; do
            now=$(memory "$server" | cut -d' ' -f2) && [ "${now:-0}" -gt "$most" ] && most=$now
            sleep 2
        done
        for pid in "${visitors[@]}"; do wait "$pid" || failed=1; done
        "$TOOLS/websoak" "$port" rest 900 2>>"$dir/err" || failed=1
        memory "$server" >>"$dir/rests"
    done
    figures=$(is_flat "$dir/rests") || failed=1
    figures+=" at rest, $((most / 1024)) MB at most"
    "$TOOLS/websoak" "$port" verify "$dir"/ledger-? >"$dir/verified" 2>&1 || failed=1
    stop_server || failed=1
    result $failed "server memory stays flat, nothing is lost" \
        "$figures; $(visitors_sum "$dir"); $(tail -n 1 "$dir/verified" | sed 's/.*: //') $(cat "$dir"/visitor-?.err "$dir/err" | tail -c 500)"
}

soak_killed() {
    local dir=$work/killed failed=0 kills=0 pid
    mkdir "$dir"
    start_at_fixed_port "$SANITIZED" "$dir" || { result 1 killed "does not listen: $(tail -c 300 "$dir/err")"; return 1; }
    start_visitors "$dir" 2 "$(left)"
    while [ "$(left)" -gt 30 ]; do
        sleep $((10 + RANDOM % 50 < $(left) ? 10 + RANDOM % 50 : 10))
        kill -0 "$server" 2>/dev/null || { failed=1; break; }
        kill -KILL "$server"
        wait "$server" 2>/dev/null
        kills=$((kills + 1))
        start_server "$SANITIZED" "$dir" "$port" || { failed=1; break; }
        # The latest games of each visitor; all of them at the end.
        for file in "$dir"/ledger-?; do tail -n 60 "$file" >"$file.tail"; done
        "$TOOLS/websoak" "$port" verify "$dir"/ledger-?.tail >>"$dir/verified" 2>&1 || { failed=1; break; }
    done
    for pid in "${visitors[@]}"; do wait "$pid" || failed=1; done
    [ $failed = 1 ] || "$TOOLS/websoak" "$port" verify "$dir"/ledger-? >>"$dir/verified" 2>&1 || failed=1
    stop_server || failed=1
    ! grep -qE 'Sanitizer|runtime error' "$dir/err" || failed=1
    result $failed "killed server loses nothing, sanitizers are silent" \
        "$kills kills; $(visitors_sum "$dir"); $(tail -n 2 "$dir/verified" | sed 's/.*: //' | paste -sd' ') $([ $failed = 0 ] || cat "$dir/err" "$dir"/visitor-?.err | tail -c 900)"
}

# -- Engine --

# The state in which memory is compared.
settle='stop
setoption name Threads value 1
setoption name MultiPV value 1
setoption name Hash value 16
position startpos
ucinewgame
isready'

answers() { grep -acx readyok "$1" 2>/dev/null; }

soak_engine() {
    local dir=$work/engine rounds=0 asked=0 pid failed=0 figures status
    mkdir "$dir" && mkfifo "$dir/in"
    "$CASTELLAN" uci <"$dir/in" >>"$dir/out" 2>"$dir/err" &
    pid=$!
    exec 7>"$dir/in"
    trap '' PIPE # writing to an engine that has crashed must not end the report of it
    while { [ "$(left)" -gt 0 ] || [ $rounds -lt $least ]; } && kill -0 $pid 2>/dev/null; do
        make_stream uci 400 $RANDOM 0 >"$dir/stream"
        echo "$settle" >>"$dir/stream"
        asked=$(grep -acx isready "$dir/stream")
        : >"$dir/out"
        cat "$dir/stream" >&7
        for _ in {1..9000}; do
            [ "$(answers "$dir/out")" = "$asked" ] && break
            kill -0 $pid 2>/dev/null || break
            sleep 0.1
        done
        [ "$(answers "$dir/out")" = "$asked" ] || { failed=1; break; }
        memory "$pid" >>"$dir/memory"
        rounds=$((rounds + 1))
    done
    figures=$(is_flat "$dir/memory") || failed=1
    echo quit >&7
    exec 7>&-
    wait $pid
    status=$?
    [ $status = 0 ] || failed=1
    result $failed "engine memory stays flat" "$figures; $rounds streams of 400 lines; exit code $status $(tail -c 300 "$dir/err")"
}

soak_streams() {
    local dir=$work/streams streams=0 failed=0 status kind end
    mkdir "$dir"
    while [ "$(left)" -gt 0 ]; do
        for kind in uci cecp; do
            { make_stream $kind 300 $RANDOM 0 && echo quit; } >"$dir/in"
            status=0
            timeout 900 "$SANITIZED" <"$dir/in" >"$dir/out" 2>"$dir/err" || status=$?
            end=$([ $kind = uci ] && echo '^readyok' || echo '^pong 424242')
            [ $status = 0 ] && grep -aqE "$end" "$dir/out" || { failed=1; break 2; }
            streams=$((streams + 1))
        done
    done
    result $failed "streams of commands, sanitizers are silent" "$streams streams of 300 lines; exit code $status $(tail -c 900 "$dir/err")"
}

# -- Self-play --

soak_selfplay() {
    local dir=$work/selfplay kills=0 before=0 now=0 total=0 failed=0 status tenths
    mkdir "$dir"
    while [ "$(left)" -gt 0 ] || { [ $((total + now)) = 0 ] && [ "$(left)" -gt -900 ]; }; do
        tenths=$((RANDOM % 60 + 5))
        status=0
        timeout --signal=KILL "$((tenths / 10)).$((tenths % 10))" "$SANITIZED" selfplay --out "$dir/games" \
            --games 100000 --nodes 100 --threads 1 --hash 1 >"$dir/out" 2>"$dir/err" </dev/null || status=$?
        [ $status = 137 ] || { failed=1; break; }
        kills=$((kills + 1))
        if [ "$before" = 0 ] && [ -z "$(find "$dir/games" -name '*.cgd' -size +0 2>/dev/null)" ]; then
            continue # killed before it had begun the first file
        fi
        now=$("$CASTELLAN" data --check "$dir/games" 2>&1 | tee "$dir/check" | sed -n 's/^\([0-9]*\) games.*, 0 damaged.*/\1/p')
        [ -n "$now" ] && [ "$now" -ge "$before" ] || { failed=1; break; }
        before=$now
        if [ "$now" -gt 3000 ]; then # a new folder, or the checks take all the time
            total=$((total + now)) before=0 now=0
            rm -rf "$dir/games"
        fi
    done 2>/dev/null
    [ $((total + now)) -gt 0 ] || failed=1
    result $failed "selfplay loses nothing, sanitizers are silent" \
        "$kills kills, $((total + now)) games, none damaged $([ $failed = 0 ] || tail -c 900 "$dir/err" "$dir/check")"
}

parts=()
for part in ${PARTS:-server killed engine streams selfplay}; do
    RANDOM=$((${SEED:-1} + ${#parts[@]}))
    (trap 'kill $(jobs -p) 2>/dev/null' EXIT; "soak_$part" >"$work/$part.log") &
    parts+=($!)
done
failed=0
for part in "${parts[@]}"; do wait "$part" || failed=1; done
cat "$work"/*.log
exit $failed
