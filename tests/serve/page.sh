#!/bin/sh
# labels: browser
# The page of the server: its types, its modules, and the whole of it in Chromium against the program.
# Usage: page.sh SOURCE_FOLDER PROGRAM FOLDER_OF_THE_BUILT_PAGE
skip()
{
    echo "SKIPPED: page ($1)"
    exit 77
}
command -v node >/dev/null 2>&1 || skip "no node"
[ -f "$3/dist/index.html" ] && [ -d "$3/node_modules" ] || skip "built without its page"
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no Chromium"
export CHROMIUM RASTERWAVE="$2"
cp -R "$1/src/serve/web/test" "$3/" && cd "$3" || exit 1
rm -rf test/out
if grep -l 'https\?://' package-lock.json; then
    echo "package-lock.json names a host"
    exit 1
fi
node node_modules/typescript/bin/tsc --noEmit &&
    node test/bundle.mjs unit && node --test test/out/unit/unit.test.mjs &&
    node test/bundle.mjs browser && node --test test/out/browser/browser.test.mjs &&
    node test/bundle.mjs planning && node --test test/out/planning/planning.test.mjs &&
    node test/bundle.mjs waiting && node --test test/out/waiting/waiting.test.mjs &&
    node test/bundle.mjs additions && node --test test/out/additions/additions.test.mjs &&
    node test/bundle.mjs everyday && node --test test/out/everyday/everyday.test.mjs &&
    node test/bundle.mjs share && node --test test/out/share/share.test.mjs
