# shellcheck shell=bash disable=SC2034
# Sourced by the rules that look into objects: compiles, and lists the objects of src/.
mkdir -p "$BUILD"
objects=$BUILD/strict-gcc
compile_objects() {
    make --no-print-directory -s -k -j "$JOBS" BUILD="$BUILD" MODE=strict-gcc CC="${CC:-gcc}" \
        library-objects >"$BUILD/strict-objects.log" 2>&1 || {
        grep -v '^  [A-Z][A-Z]* ' "$BUILD/strict-objects.log"
        echo "the sources do not compile"
        exit 1
    }
}

# One line "SOURCE OBJECT" for every source of this system; objects of deleted sources are left out.
list_objects() {
    find src -name '*.c' ! -name '*_windows.c' ! -path 'src/wasm/*' | sort | while read -r source; do
        echo "$source $objects/${source%.c}.o"
    done
}

# allowed FILE SOURCE NAME: whether the list FILE ("SOURCE NAME reason...") has that row.
allowed() {
    awk -v source="$2" -v name="$3" '
        /^#/ || NF == 0 { next }
        $1 == source && $2 == name && NF > 2 { found = 1 }
        END { exit !found }' "$1"
}

# stale FILE: rows of the list that nothing needed; the names needed are on stdin.
stale() {
    awk -v list="$1" '
        NR == FNR && FILENAME == "-" { used[$1 " " $2] = 1; next }
        /^#/ || NF == 0 { next }
        !(($1 " " $2) in used) { print list ":" FNR ": nothing needs this row: " $1 " " $2; bad = 1 }
        END { exit bad }' - "$1"
}

# where SOURCE NAME: SOURCE:LINE of the first line that has the name outside a comment.
where() {
    local line
    line=$(grep -nw -- "${2#__}" "$1" | grep -vE '^[0-9]+: *(\*|/\*)' | head -n 1 | cut -d: -f1)
    echo "$1:${line:-1}"
}
