#!/bin/bash
# A whole OpenBench on this machine: server, client and match runner as they are published, the network replaced by git
# repositories (site/sitecustomize.py). Fixed games, an SPRT, an SPSA tune and data generation with Castellan.
#
#   tests/openbench/run.sh OPENBENCH FASTCHESS [WORK]     clones of AndyGrant/OpenBench and AndyGrant/fastchess
#
# Needs Debian's python3-django python3-requests python3-psutil python3-cpuinfo python3-scipy, a C++ compiler, and
# whatever builds Castellan, and two cores, since a tune plays pairs. Minutes; most of them are the builds. WORK is kept where it is given; RUNNER=fastchess
# spares the build of the match runner.
set -uo pipefail
openbench=$(realpath "${1:?a clone of AndyGrant/OpenBench}") fastchess=$(realpath "${2:?a clone of AndyGrant/fastchess}")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=${PYTHON:-/usr/bin/python3}
port=${PORT:-8019}
work=${3:-$(mktemp -d)}
server=''
trap '[ -n "$server" ] && kill "$server" 2>/dev/null; [ -n "${3:-}" ] || rm -rf "$work"' EXIT
mkdir -p "$work/github/castellan" "$work/github/AndyGrant" "$work/github/books" "$work/bin"
work=$(realpath "$work")

fail() { echo "not ok openbench: $*"; exit 1; }

# -- The repositories: main, a branch to test, and one that is built for tuning --
git clone -q "$root" "$work/github/castellan/castellan" || fail "cannot clone $root"
git clone -q "$fastchess" "$work/github/AndyGrant/fastchess" || fail "cannot clone $fastchess"
git -C "$work/github/AndyGrant/fastchess" branch -f master HEAD 2>/dev/null
cd "$work/github/castellan/castellan" || exit 1
git branch -q -M main
# The signature is asked of the program that stands in the work tree (make built it).
bench=$("${CASTELLAN:-$root/castellan}" bench | awk '/nodes/ { n = $1 } END { print n }')
commit() { git -c user.name=Test -c user.email=test@example.org commit -q "$@"; }
commit --allow-empty -m "main: as it is" -m "Bench: $bench"
git switch -q -c dev && commit --allow-empty -m "dev: a change" -m "Bench: $bench"
git switch -q -c tune main && sed -i 's/^TUNE *?=.*/TUNE ?= 1/' Makefile && commit -am "tune: parameters as options" -m "Bench: $bench"
git switch -q main

# -- The server's configuration: one engine, one book --
git clone -q "$openbench" "$work/OpenBench" && cd "$work/OpenBench" || fail "cannot clone $openbench"
sed 's|github.com/OWNER/castellan|github.com/castellan/castellan|' "$root/openbench.json" >Engines/Castellan.json
"${CASTELLAN:-$root/castellan}" "genfens 200 seed 1 book None" quit |
    sed -n 's/^info string genfens \(.*\) [0-9]* [0-9]*$/\1 hmvc 0; fmvn 1;/p' >"$work/castellan.epd"
"$python" - "$work" <<'PY' || fail "configuration"
import hashlib, json, subprocess, sys, zipfile
work = sys.argv[1]
text = open(work + "/castellan.epd").read()
books = work + "/github/books/books"
with zipfile.ZipFile(work + "/castellan.epd.zip", "w") as z:
    z.writestr("castellan.epd", text)
subprocess.run(["git", "init", "-q", "-b", "main", books], check=True)
open(books + "/castellan.epd.zip", "wb").write(open(work + "/castellan.epd.zip", "rb").read())
subprocess.run(["git", "-C", books, "add", "."], check=True)
subprocess.run(["git", "-C", books, "-c", "user.name=Test", "-c", "user.email=t@example.org", "commit", "-qm", "book"], check=True)
json.dump({"sha": hashlib.sha256(text.encode()).hexdigest(),
           "source": "https://raw.githubusercontent.com/books/books/main/castellan.epd.zip"},
          open("Books/castellan.epd.json", "w"))
config = json.load(open("Config/config.json"))
config["engines"], config["books"] = ["Castellan"], ["castellan.epd"]
json.dump(config, open("Config/config.json", "w"))
PY
export GITHUB_MIRROR=$work/github PYTHONPATH=$here/site
"$python" manage.py migrate >"$work/migrate.log" 2>&1 || fail "$(tail -n 3 "$work/migrate.log")"
"$python" manage.py shell >"$work/user.log" 2>&1 <<'PY' || fail "$(tail -n 3 "$work/user.log")"
from django.contrib.auth.models import User
from OpenBench.models import Profile
user = User.objects.create_user("tester", "tester@example.org", "a-good-password")
Profile.objects.create(user=user, enabled=True, approver=True)
PY
"$python" manage.py runserver --noreload "127.0.0.1:$port" >"$work/server.log" 2>&1 &
server=$!
for _ in {1..300}; do
    grep -q 'Quit the server' "$work/server.log" && break
    kill -0 $server 2>/dev/null || fail "server: $(tail -n 5 "$work/server.log")"
    sleep 0.2
done

"$python" "$here/workloads.py" create "http://127.0.0.1:$port" "$("$root/scripts/spsa-inputs" rfp_margin)" || exit 1

# -- The client, in a session of its own: what it kills by name is looked for there only --
# shellcheck disable=SC2016 # for the script
printf '#!/bin/bash\nexec /usr/bin/pkill -s "$(ps -o sid= -p $$ | tr -d " ")" "$@"\n' >"$work/bin/pkill"
chmod +x "$work/bin/pkill"
cd Client || exit 1
# A match runner that is new enough is taken as it is; the client builds one otherwise.
[ -z "${RUNNER:-}" ] || cp "$RUNNER" fastchess-ob
PATH=$work/bin:$PATH PYTHONUNBUFFERED=1 timeout "${LIMIT:-3600}" setsid --wait "$python" client.py -U tester -P a-good-password \
    -S "http://127.0.0.1:$port" -T 2 -N 1 --no-client-downloads --fleet >"$work/client.log" 2>&1
cd ..
"$python" manage.py shell <"$here/report.py"
