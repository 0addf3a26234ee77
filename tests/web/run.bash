# What every script here begins with: the page's test tools, the browser, and a program with a page.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# NAME: installs the tools from npm where they are missing, or ends with a failure.
page_tools() {
    # Two of these scripts may begin at the same time, and npm wants the folder for itself.
    flock "$here/../../web/package.json" "$here/../../scripts/web-page" tools && return
    echo "not ok $1: npm could not install the tools for the page"
    exit 1
}

# FILE.mjs: runs it in the place of this script.
run_page_tests() {
    local name=web/${1%.mjs}
    if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
        echo "skip $name: chromium is missing (scripts/setup test installs it)"
        exit 0
    fi
    # No such port: with a server it is refused, without one the reason is another.
    if "$CASTELLAN" web --port none 2>&1 | grep -q 'built without'; then
        echo "skip $name: this castellan has no web (libwebsockets-dev, libjansson-dev, libsqlite3-dev)"
        exit 0
    fi
    page_tools "$name"
    exec node "$here/$1"
}
