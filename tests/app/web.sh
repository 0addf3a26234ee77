#!/bin/bash
# castellan web as a user starts it: its last line, its messages, its end, and a kill in the middle of a game.
set -uo pipefail
work=$(mktemp -d)
data=$work/data
server=
trap '[ -n "$server" ] && kill -9 "$server" 2>/dev/null; rm -rf "$work"' EXIT

if "$CASTELLAN" web --port 0 --data /dev/null/x --no-open 2>&1 | grep -q 'built without'; then
    echo "skip web: the program was built without it"
    exit 0
fi

# start: the port is left in $port
start() {
    : >"$work/out" # before the line of the server that was there is read
    "$CASTELLAN" web --port "${1:-0}" --data "$data" --no-open >"$work/out" 2>"$work/err" </dev/null &
    server=$!
    for _ in {1..1200}; do
        port=$(sed -n 's|^listening on http://127.0.0.1:\([0-9]*\)/$|\1|p' "$work/out" 2>/dev/null)
        [ -n "$port" ] && return 0
        sleep 0.05
    done
    return 1
}

tell() { # NAME STATUS WHY
    if [ "$2" = 0 ]; then
        echo "ok $1"
    else
        echo "not ok $1: ${3:-}"
    fi
}

start
tell "web says where it listens, last" "$([ "$(tail -n 1 "$work/out")" = "listening on http://127.0.0.1:$port/" ]; echo $?)" "$(cat "$work/out" "$work/err")"

why=$("$CASTELLAN" web --port "$port" --data "$work/other" --no-open 2>&1)
[ $? = 1 ] && [[ $why == 'castellan: web: '*"$port"*'in use'* ]]
tell "web says when the port is in use" $? "$why"

why=$("$CASTELLAN" web --port 0 --data "$work/data" --no-open 2>&1)
[ $? = 1 ] && [[ $why == 'castellan: web: '*'another castellan web'* ]]
tell "web says when the folder is in use" $? "$why"

why=$("$CASTELLAN" web --port 0 --host 0.0.0.0 --data "$work/other" --no-open 2>&1)
[ $? = 1 ] && [[ $why == *password* ]]
tell "web wants a password for the world" $? "$why"

# Moves are played and told, then the server is killed, then another one must know them all.
moves=$("$TOOLS/webclient" "$port" play 3)
game=$(sed -n 's/^game //p' <<<"$moves" | tail -n 1)
kill -9 "$server"
wait "$server" 2>/dev/null
start "$port"
again=$("$TOOLS/webclient" "$port" show "$game")
told=$(sed -n 's/^moves //p' <<<"$moves" | tail -n 1)
[ -n "$told" ] && [[ $(sed -n 's/^moves //p' <<<"$again") == "$told"* ]]
tell "web loses nothing when killed" $? "told '$told', kept '$again'"

kill -TERM "$server"
for _ in {1..200}; do
    kill -0 "$server" 2>/dev/null || break
    sleep 0.05
done
wait "$server"
tell "web ends in order" $? "status $?: $(cat "$work/err")"
server=

# Strangers' connections, begun and silent ones, leave 128 descriptors to everything else.
# Beyond what libwebsockets reckons with, it writes outside its table.
: >"$work/out"
if [ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -ge 1024 ]; then
    (
        ulimit -n 400
        exec "$CASTELLAN" web --port 0 --data "$work/few" --no-open >"$work/out" 2>"$work/err" </dev/null
    ) &
    server=$!
    for _ in {1..1200}; do
        port=$(sed -n 's|^listening on http://127.0.0.1:\([0-9]*\)/$|\1|p' "$work/out" 2>/dev/null)
        [ -n "$port" ] && break
        sleep 0.05
    done
    most=$(
        ulimit -Sn 1024
        for i in {1..550}; do
            exec {fd}<>"/dev/tcp/127.0.0.1/$port" || break
            [ "$i" -gt 250 ] || printf 'GET / HT' >&"$fd"
        done 2>/dev/null
        sleep 0.2
        find "/proc/$server/fd" -mindepth 1 -printf '%f\n' | sort -n | tail -n 1
    )
    [ "$most" -lt 272 ] && "$TOOLS/webclient" "$port" play 1 >/dev/null
    tell "web keeps descriptors for its files" $? "$most is taken by a connection"
    kill -TERM "$server"
    wait "$server"
    server=
else
    echo "skip web keeps descriptors for its files: fewer than 1024 are allowed here"
fi

# A full disk is said at the start, and games can still be read.
mkdir "$work/disk"
if mount -t tmpfs -o size=2m castellan-test "$work/disk" 2>/dev/null; then
    trap 'kill -9 $server 2>/dev/null; umount "$work/disk" && rm -rf "$work"' EXIT
    data=$work/disk/data
    start
    told=$("$TOOLS/webclient" "$port" play 1 | sed -n 's/^moves //p')
    kill -TERM "$server" && wait "$server"
    dd if=/dev/zero of="$work/disk/filler" bs=1k count=4000 2>/dev/null
    start
    shown=$("$TOOLS/webclient" "$port" show 1)
    [ -n "$told" ] && [ "$shown" = "moves $told" ] && ! "$TOOLS/webclient" "$port" play 1 >/dev/null &&
        grep -q '^castellan: web: .*castellan.db: .*disk' "$work/err" && grep -q 'games can be read, but nothing' "$work/err"
    tell "web says at the start that the disk is full, and shows games" $? "$shown $(cat "$work/err")"
    kill -TERM "$server" && wait "$server"
    server=
    umount "$work/disk"
    data=$work/data
else
    echo "skip web says at the start that the disk is full: no small disk can be mounted here"
fi
trap '[ -n "$server" ] && kill -9 "$server" 2>/dev/null; rm -rf "$work"' EXIT

# Tables that cannot be used are named, with the reason.
mkdir "$work/tables"
: >"$work/tables/KQvK.rtbw"
: >"$work/out"
"$CASTELLAN" web --port 0 --syzygy "$work/tables" --data "$work/data" --no-open >"$work/out" 2>"$work/err" </dev/null &
server=$!
for _ in {1..1200}; do
    grep -q '^listening' "$work/out" && break
    sleep 0.05
done
grep -q '^castellan: web: .*1 refused: .*KQvK.rtbw' "$work/err"
tell "web says which tables are refused" $? "$(cat "$work/err")"
kill -TERM "$server"
wait "$server"
server=

# The password comes from a file, and must not be a weak one for the world.
echo short >"$work/weak"
why=$("$CASTELLAN" web --port 0 --host 0.0.0.0 --password-file "$work/weak" --data "$work/other" --no-open 2>&1)
[ $? = 1 ] && [[ $why == *'at least 8 characters'* ]]
tell "web refuses a weak password for the world" $? "$why"
why=$("$CASTELLAN" web --port 0 --password secret --data "$work/other" --no-open 2>&1)
[ $? = 2 ]
tell "web takes no password from the command line" $? "$why"

if ! command -v openssl >/dev/null || ! command -v curl >/dev/null; then
    echo "skip web serves https: openssl or curl is missing"
    exit 0
fi
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
    -keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
"$CASTELLAN" web --port 0 --tls-cert "$work/cert.pem" --tls-key "$work/key.pem" --data "$work/data" --no-open \
    >"$work/out" 2>"$work/err" </dev/null &
server=$!
for _ in {1..1200}; do
    url=$(sed -n 's|^listening on \(https://.*\)$|\1|p' "$work/out")
    [ -n "$url" ] && break
    sleep 0.05
done
answer=$(curl -s --cacert "$work/cert.pem" "${url}healthz" 2>&1)
[ "$answer" = ok ]
tell "web serves https" $? "$url: $answer $(cat "$work/err")"
head=$(curl -s -i --cacert "$work/cert.pem" -d '{}' "${url}api/session" 2>&1)
[[ $head == *'Set-Cookie: castellan_'*'; Secure'* ]]
tell "web marks the cookie of https" $? "$head"
kill -TERM "$server"
wait "$server"
server=
