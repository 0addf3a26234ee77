#!/bin/bash
# Proves that each rule of `make check` can fail: in a copy of the tree, breaks one rule at a time
# and expects that rule to fail and to name the file. `make check-selftest` runs this.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r Makefile mk .clang-format README.md CONTRIBUTING.md src tests scripts docs data "$copy"/
mkdir "$copy"/web && cp -r web/src "$copy"/web/
cd "$copy" || exit 2
# What is broken here is in no list, unless this puts it there.
sed -i 's#^MAIN .*#&\nSOURCES += $(wildcard src/*/scratch.c src/*/*/scratch.c)#' Makefile
export BUILD=$copy/build JOBS=${JOBS:-2}

passed=0 failed=0
result() {
    if [ "$1" = ok ]; then
        passed=$((passed + 1))
        echo "ok $2"
    else
        failed=$((failed + 1))
        echo "not ok $2: $3"
    fi
}

# What a rule says when it is the rule that is broken, and not, say, the compilation before it.
declare -A reason=(
    [sources]='in no list|not there'
    [format]='not as clang-format leaves it|past column 100'
    [layers]='may not include|is private|no row|no folder|write "|with quotes|belongs in a folder'
    [headers]='does not compile alone'
    [warnings]='error:'
    [quiet]='neither print|standard descriptor|nothing needs'
    [globals]='mutable global|nothing needs'
    [unused]='no other file uses|nothing needs'
    [size]='a function of'
    [rights]='remove this right'
    [files]='lines; |files in one folder'
    [words]='see scripts/forbidden-words'
    [lint]='\[[a-zA-Z]+\]'
)

# expect NAME RULE FILE: RULE must fail, name FILE and give its reason on that line.
expect() {
    local said
    if said=$(scripts/check "$2" 2>&1); then
        result no "$1" "scripts/check $2 did not fail"
    elif ! grep -F "$3" <<<"$said" | grep -qE "${reason[$2]}"; then
        result no "$1" "no line names $3 and the reason: $said"
    else
        result ok "$1"
    fi
}

# broken NAME RULE FILE [NAMED]: stdin is added to FILE (made when absent), RULE must fail and name
# NAMED, which is FILE when not told.
broken() {
    local before=$copy/before
    rm -f "$before"
    [ -f "$3" ] && cp -p "$3" "$before"
    mkdir -p "${3%/*}"
    cat >>"$3"
    expect "$1" "$2" "${4:-$3}"
    if [ -f "$before" ]; then mv "$before" "$3"; else rm -f "$3"; fi
}

# The untouched copy must be clean: a rule that always fails proves nothing.
for rule in sources format layers rights files words headers warnings quiet globals unused size lint; do
    if said=$(scripts/check $rule 2>&1); then
        result ok "clean $rule"
    else
        result no "clean $rule" "$said"
    fi
done

broken 'sources: a file in no list' sources src/base/unlisted.c <<<'extern int unlisted_x;'
mv src/base/cpu.c "$copy"/cpu.c
expect 'sources: a file that went' sources src/base/cpu.c
mv "$copy"/cpu.c src/base/cpu.c

seq 451 | sed 's/.*/\/* & *\//' >src/base/scratch.c
expect 'files: a file that is too long' files src/base/scratch.c
rm src/base/scratch.c
mkdir src/scratch && for i in $(seq 46); do : >src/scratch/s$i.h; done
expect 'files: too many files in a folder' files src/scratch
rm -r src/scratch
seq 251 | broken 'files: a page that is too long' files docs/user/scratch.md
cp docs/dev/architecture.md "$copy"/table
sed -i 's/^| chess | base/| chess | base, app/' docs/dev/architecture.md
expect 'rights: a right that nobody uses' rights docs/dev/architecture.md
mv "$copy"/table docs/dev/architecture.md
broken 'words: a phrase that is not plain' words src/base/scratch.h <<<'/* By lot. */'
broken 'words: a code name' words src/search/scratch.h <<<'typedef struct Ply Ply;'
broken 'words: a name that is fine elsewhere' words src/train/scratch.h <<<'int unit;'

broken 'format: two spaces too many' format src/base/scratch.h <<<'int  scratch_x(void);'
broken 'format: tests too' format tests/unit/base/scratch.c <<<'int  scratch_x(void);'

{ printf '/* x' && printf ' wide%.0s' $(seq 30) && echo ' */'; } |
    broken 'format: a comment past column 100' format src/levels/scratch.def

broken 'layers: base includes chess' layers src/base/scratch.c <<<'#include "chess/types.h"'
broken 'layers: search includes engine' layers src/search/scratch.c <<<'#  include "engine/engine.h"'
broken 'layers: a subfolder counts as its folder' layers src/eval/nnue/scratch.c \
    <<<'#include "search/search.h"'
broken 'layers: unknown folder' layers src/attic/scratch.c <<<'#include "base/status.h"'
broken 'layers: unknown folder included' layers src/app/scratch.c <<<'#include "attic/scratch.h"'
broken 'layers: path without a folder' layers src/chess/scratch.c <<<'#include "types.h"'
broken 'layers: path upwards' layers src/chess/scratch.c <<<'#include "chess/../engine/engine.h"'
broken 'layers: angle brackets do not help' layers src/chess/scratch.c <<<'#include <engine/engine.h>'
broken 'layers: another folder'\''s private header' layers src/notation/scratch.c \
    <<<'#include "chess/position_int.h"'
broken 'layers: a file outside the folders' layers src/scratch.c <<<'extern int scratch_x;'

broken 'headers: a type it does not include' headers src/base/scratch.h <<<'size_t scratch_x(void);'
broken 'headers: not twice' headers src/base/scratch.h <<<'struct Scratch { int x; };'

broken 'warnings: unused variable' warnings src/base/scratch.c <<'C'
int scratch_x(void);
int scratch_x(void)
{
    int unused;
    return 1;
}
C
broken 'warnings: no prototype' warnings src/base/scratch.c <<'C'
int scratch_x(void)
{
    return 1;
}
C
broken 'warnings: a banned function' warnings src/base/scratch.c <<'C'
#include <string.h>
void scratch_x(char *to, const char *from);
void scratch_x(char *to, const char *from)
{
    strcpy(to, from);
}
C

quiet() {
    broken "quiet: $1" quiet "$2" <<C
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
void scratch_x(void);
void scratch_x(void)
{
    $3;
}
C
}
quiet 'printf in a library' src/chess/scratch.c 'printf("%d\\n", 1)'
quiet 'puts in a library' src/search/scratch.c 'puts("x")'
quiet 'fprintf to stderr in a library' src/base/scratch.c 'fprintf(stderr, "%d", 1)'
quiet 'stdout in a protocol' src/proto/scratch.c 'fflush(stdout)'
quiet 'exit in a library' src/notation/scratch.c 'exit(1)'
quiet 'abort in a library' src/book/scratch.c 'abort()'
quiet 'exit in a subcommand' src/app/scratch.c 'exit(1)'
quiet 'descriptor 1 in a library' src/engine/scratch.c '(void)!write(1, "x", 1)'

broken 'globals: a static counter' globals src/chess/scratch.c <<'C'
static int scratch_counter;
int scratch_x(void);
int scratch_x(void)
{
    return ++scratch_counter;
}
C
broken 'globals: an initialised one' globals src/base/scratch.c <<'C'
int scratch_table[2] = {1, 2};
C
broken 'globals: a static local' globals src/search/scratch.c <<'C'
int scratch_x(void);
int scratch_x(void)
{
    static int calls = 7;
    return ++calls;
}
C
broken 'globals: a thread-local' globals src/search/scratch.c <<'C'
_Thread_local int scratch_x;
C
broken 'globals: a stale row in the list' globals scripts/allowed-globals \
    <<<'src/chess/nowhere.c nothing because'
broken 'unused: a function that nobody calls' unused src/chess/scratch.c <<'C'
int scratch_x(void);
int scratch_x(void)
{
    return 1;
}
C
broken 'unused: a stale row in the list' unused scripts/allowed-unused \
    <<<'src/chess/nowhere.c nothing because'
broken 'quiet: a stale row in the list' quiet scripts/allowed-output \
    <<<'src/chess/nowhere.c printf because'

{
    printf 'int scratch_x(int x);\nint scratch_x(int x)\n{\n'
    for _ in $(seq 71); do echo '    x++;'; done
    printf '    return x;\n}\n'
} | broken 'size: a function of 72 lines' size src/base/scratch.c

broken 'lint: past the end of an array' lint src/base/scratch.c <<'C'
int scratch_x(void);
int scratch_x(void)
{
    int a[4] = {0};
    return a[4];
}
C

# The runner of `make test`: what programs say, and do not say, must come out in the sum.
runner() {
    local name=$1 suffix=$2 want=$3 said
    local program=$copy/program$suffix
    {
        echo '#!/bin/bash'
        cat
    } >"$program"
    chmod +x "$program"
    said=$(tests/run --jobs 1 --timeout 1 --logs "$copy/logs" --binary /bin/true "$program" 2>&1)
    said="status $? $(tail -n 1 <<<"$said")"
    if [ "$said" = "$want" ]; then
        result ok "runner: $name"
    else
        result no "runner: $name" "want '$want', got '$said'"
    fi
}
runner 'script' .sh 'status 0 2 passed, 0 failed, 1 skipped' <<<'echo ok a; echo skip b: x; echo ok c'
runner 'script fails' .sh 'status 1 1 passed, 1 failed' <<<'echo ok a; echo not ok b: x; exit 1'
runner 'script fails in silence' .sh 'status 1 1 passed, 1 failed' <<<'echo ok a; exit 3'
runner 'script says nothing' .sh 'status 1 0 passed, 1 failed' <<<'exit 0'
runner 'script hangs' .sh 'status 1 1 passed, 1 failed' <<<'echo ok a; sleep 9'
runner 'only skipped' .sh 'status 1 0 passed, 0 failed, 1 skipped' <<<'echo skip a: x'
runner 'cmocka' '' 'status 0 1 passed, 0 failed, 1 skipped' \
    <<<'echo 1..2; echo ok 1 - a; echo "not ok 2 # SKIP b"'
runner 'cmocka fails' '' 'status 1 1 passed, 1 failed' \
    <<<'echo 1..2; echo ok 1 - a; echo not ok 2 - b; exit 1'
runner 'cmocka crashes' '' 'status 1 1 passed, 1 failed' <<<'echo 1..2; echo ok 1 - a; kill -SEGV $$'
runner 'cmocka stops early' '' 'status 1 1 passed, 1 failed' <<<'echo 1..2; echo ok 1 - a; exit 0'
runner 'cmocka leaks at the end' '' 'status 1 1 passed, 1 failed' <<<'echo 1..1; echo ok 1 - a; exit 23'

# The Makefile, on a project of two folders: what a change rebuilds, and what it leaves alone.
tiny=$copy/tiny
mkdir -p "$tiny"/src/{base,chess,app}
cp -r Makefile mk "$tiny"/
cp src/base/banned.h "$tiny"/src/base/
echo 'int one_get(void);' >"$tiny"/src/base/one.h
printf '#include "base/one.h"\nint one_get(void)\n{\n    return 1;\n}\n' >"$tiny"/src/base/one.c
printf 'int two_get(void);\nint two_get(void)\n{\n    return 2;\n}\n' >"$tiny"/src/chess/two.c
printf '#include "base/one.h"\nint main(void)\n{\n    return one_get() - 1;\n}\n' \
    >"$tiny"/src/app/main.c

tiny_sources='src/base/one.c src/chess/two.c src/app/main.c'

# builds NAME WANT ARGUMENTS...: make must do just WANT, a list of "CC one" and "LINK castellan".
builds() {
    local name=$1 want=$2 did
    shift 2
    # File systems that keep whole seconds would not see two changes in one.
    sleep 0.05
    did=$(env -u BUILD -u MAKEFLAGS -u MAKELEVEL make -C "$tiny" SOURCES="$tiny_sources" "$@" 2>&1 |
        sed -n 's#^  \([A-Z]*\) .*/\([a-z]*\)\.o$#\1 \2#p; s#^  LINK .*#LINK#p' |
        sort | tr '\n' ',')
    if [ "$did" = "$want" ]; then
        result ok "build: $name"
    else
        result no "build: $name" "want '$want', did '$did'"
    fi
}
all='CC main,CC one,CC two,LINK,'
builds 'from nothing, in parallel' "$all" -j8
builds 'again' ''
touch "$tiny"/src/base/one.h
builds 'a header was touched' 'CC main,CC one,LINK,' -j8
touch "$tiny"/src/chess/two.c
builds 'a source was touched' 'CC two,LINK,'
builds 'other flags' "$all" ARCH=x86-64 -j8
builds 'other flags, again' '' ARCH=x86-64
builds 'another compiler' "$all" ARCH=x86-64 CC=clang -j8
builds 'another place' 'LINK,' ARCH=x86-64 CC=clang EXE=elsewhere
rm "$tiny"/src/chess/two.c
tiny_sources='src/base/one.c src/app/main.c'
builds 'a source went' 'LINK,' ARCH=x86-64 CC=clang EXE=elsewhere
echo 'int main(void) { return }' >"$tiny"/src/app/main.c
if make -C "$tiny" SOURCES="$tiny_sources" >/dev/null 2>&1; then
    result no 'build: an error is an error' 'make succeeded'
else
    result ok 'build: an error is an error'
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
