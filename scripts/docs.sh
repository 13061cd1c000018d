#!/bin/sh
# Builds the documentation site in build/docs/html: the pages of docs/, the help texts of the commands, and the C interface
# from the public headers. Fails where a page refers to something that does not exist, or where a public call is not documented.
# Usage: scripts/docs.sh [PROGRAM [FOLDER]]
#   PROGRAM  the rasterwave whose help texts are taken; without it, one in build/, or one built for this
#   FOLDER   where the site is made, in place of build/docs
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
command -v doxygen >/dev/null 2>&1 || install_packages doxygen

program=${1:-}
folder=${2:-build/docs}
mkdir -p "$folder"
ROOT=$PWD
PAGES=$(cd "$folder" && pwd)/pages
export ROOT PAGES

for candidate in build/dev/rasterwave build/demo/rasterwave build/rasterwave; do
    if [ -z "$program" ] && [ -x "$candidate" ]; then
        program=$PWD/$candidate
    fi
done
if [ -z "$program" ]; then
    cmake -S . -B "$folder/program" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DRW_CUDA=OFF >/dev/null
    cmake --build "$folder/program" >/dev/null
    program=$folder/program/rasterwave
fi

rm -rf "$folder/html" "$PAGES"
mkdir -p "$PAGES"
sh docs/site/commands.sh "$program" >"$PAGES/commands.md"

{
    cat docs/site/Doxyfile
    echo "PROJECT_NUMBER = \"$("$program" --version | sed -n '1s/^rasterwave //p')\""
    echo "OUTPUT_DIRECTORY = \"$folder\""
    echo "INPUT += \"$PAGES\""
    echo "WARN_LOGFILE = \"$folder/warnings.txt\""
} | doxygen -

# Members of structs and values of enumerations may speak by their names; everything else must be documented.
if grep -v -E 'Member .*\((variable|enumvalue)\) of .* is not documented' "$folder/warnings.txt" >"$folder/failures.txt"; then
    sed "s|^$ROOT/||" "$folder/failures.txt" >&2
    echo "docs: $(wc -l <"$folder/failures.txt") messages of Doxygen" >&2
    exit 1
fi
echo "docs: $folder/html/index.html"
