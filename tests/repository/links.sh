#!/bin/sh
# labels: documents
# Every relative link of every Markdown file leads to a file that exists and, where it names a section, to a heading there.
# Every page of docs/ and every source file that a comment names exists too. Usage: links.sh SOURCE_FOLDER
cd "$1" || exit 1

pages=$(find . -name '*.md' ! -path './build*' ! -path './.git/*' ! -path './out/*' ! -path '*/node_modules/*' | sed 's|^\./||' | sort)

# A line "PAGE TARGET" for each link and "PAGE #SECTION" for each heading, as GitHub names it.
list=$(mktemp)
trap 'rm -f "$list"' EXIT
for page in $pages; do
    awk -v page="$page" '
        /^ *```/ { fenced = !fenced; next }
        fenced { next }
        /^#+ / {
            title = tolower($0)
            sub(/^#+ /, "", title)
            gsub(/[^a-z0-9 _-]/, "", title)
            gsub(/ /, "-", title)
            print "heading", page "#" title
        }
        {
            line = $0
            gsub(/`[^`]*`/, "", line)
            while (match(line, /\]\([^) ]*\)/)) {
                print "link", page, substr(line, RSTART + 2, RLENGTH - 3)
                line = substr(line, RSTART + RLENGTH)
            }
        }' "$page"
done >"$list"

failed=0
while read -r page target; do
    case $target in
    http:* | https:* | mailto:*) continue ;;
    esac
    path=${target%%#*}
    section=
    case $target in
    *#*) section=${target#*#} ;;
    esac
    file=$page
    [ -z "$path" ] || file=$(dirname "$page")/$path
    if [ ! -e "$file" ]; then
        echo "$page: $target leads nowhere"
        failed=1
    elif [ -n "$section" ]; then
        plain=$(echo "$file" | sed -e ':a' -e 's|[^/.][^/]*/\.\./||' -e 'ta' -e 's|^\./||')
        grep -qxF "heading $plain#$section" "$list" || { echo "$page: $target names no section"; failed=1; }
    fi
done <<END
$(sed -n 's/^link //p' "$list")
END

for name in $(grep -rhoE --exclude-dir=node_modules '(^|[^a-z0-9_/$])docs/[a-z0-9_/-]+\.md' src include programs bench tests scripts docs *.md 2>/dev/null | grep -o 'docs/.*' | sort -u); do
    [ -f "$name" ] || { echo "$name is named and does not exist: $(grep -rlF "$name" src include programs bench tests scripts docs *.md | head -n 1)"; failed=1; }
done

# A name in a comment is a path from its end on: sinr.k.h, run/session.c, models/engine/run/session.c.
sources=$(find src programs bench include tests \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.def' \) ! -path '*/node_modules/*')
named=$(echo "$sources" | xargs awk '
    BEGIN {
        for (i = 1; i < ARGC; i++) {
            path = ARGV[i]
            exists[path] = 1
            while (sub(/^[^\/]*\//, "", path))
                exists[path] = 1
        }
    }
    FNR == 1 { inside = 0 }
    {
        text = ""
        line = $0
        while (line != "") {
            at = index(line, inside ? "*/" : "/*")
            if (inside)
                text = text " " (at ? substr(line, 1, at - 1) : line)
            if (!at)
                break
            line = substr(line, at + 2)
            inside = !inside
        }
        while (match(text, /[A-Za-z0-9_\/]*[A-Za-z0-9_](\.k\.h|\.[ch]|\.cu|\.def)($|[^A-Za-z0-9_])/)) {
            name = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            sub(/[^A-Za-z0-9_]$/, "", name)
            if (!(name in exists) && name != "k.h")
                print FILENAME ":" FNR ": there is no " name
        }
    }')
[ -z "$named" ] || { echo "$named"; failed=1; }
exit $failed
