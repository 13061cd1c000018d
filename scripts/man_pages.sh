#!/bin/sh
# Writes manual pages from the program's own help: rasterwave.1, and rasterwave-COMMAND.1 for each command.
# Usage: scripts/man_pages.sh PROGRAM FOLDER
set -eu
[ $# = 2 ] || {
    sed -n '2,3s/^# //p' "$0" >&2
    exit 2
}
program=$1
folder=$2
version=$("$program" --version | sed -n '1s/^rasterwave \([^ ]*\).*/\1/p')

# page NAME SUMMARY: help on standard input as a page: its lines as they are, under the headings that manuals have.
page()
{
    awk -v name="$1" -v summary="$2" -v version="$version" '
    function text(line) {
        gsub(/\\/, "\\e", line)
        gsub(/-/, "\\-", line)
        return line ~ /^[.'\'']/ ? "\\&" line : line
    }
    function heading(title) {
        print (open ? ".fi\n" : "") ".SH " title "\n.nf"
        open = 1
    }
    BEGIN {
        printf ".TH %s 1 \"\" \"rasterwave %s\" \"User Commands\"\n.SH NAME\n%s \\- %s\n", toupper(text(name)), version, text(name), text(summary)
    }
    NR == 1 && !/^Usage:/ { next }
    /^Usage:/ { heading("SYNOPSIS"); sub(/^Usage: */, ""); print text($0); synopsis = 1; next }
    synopsis && /^ *rasterwave / { sub(/^ */, ""); print text($0); next }
    synopsis { heading("DESCRIPTION"); synopsis = 0 }
    /^Examples:/ { heading("EXAMPLES"); next }
    !open && NF { heading("DESCRIPTION") }
    open { print text($0) }
    END { if (open) print ".fi" }'
}

mkdir -p "$folder"
rm -f "$folder"/*.1
"$program" --help | awk '/^  [a-z]+  /{ name = $1; $1 = ""; sub(/^ */, ""); print name, $0 }' | while read -r command summary; do
    "$program" "$command" --help | page "rasterwave-$command" "$summary" >"$folder/rasterwave-$command.1"
done
"$program" --help | page rasterwave "prediction of radio waves in cities and buildings" >"$folder/rasterwave.1"
