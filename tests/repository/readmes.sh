#!/bin/sh
# A README explains a folder (its method, its paper, the order to read it in): it has more than a title, does not list the files of its folder
# one by one, and every file or folder that it names exists. So does every file, folder and function that ARCHITECTURE.md names: a path from
# the root or from src, or a name in the folder of the path before it in the same line. Usage: readmes.sh SOURCE_FOLDER
cd "$1" || exit 1
failed=0
for readme in $(find src bench programs tests -name README.md ! -path '*/node_modules/*'); do
    [ -f "$readme" ] || continue
    folder=$(dirname "$readme")
    [ "$(grep -cv '^#\|^ *$' "$readme")" -gt 0 ] || { echo "$readme has no text: remove it or explain the folder"; failed=1; }
    files=$(find "$folder" -maxdepth 1 -type f ! -name README.md | wc -l)
    listed=$(grep -c '^- `[a-z0-9_]*\.[a-z.]*`' "$readme")
    [ "$files" -lt 4 ] || [ "$listed" -lt "$files" ] || { echo "$readme lists its folder file by file"; failed=1; }
    for name in $(grep -o '`[a-z0-9_/]*\.\(c\|h\|k\.h\|cu\|def\|sh\|py\|ts\)`' "$readme" | tr -d '`'); do
        [ -e "$folder/$name" ] || [ -e "$name" ] || [ -e "src/$name" ] || { echo "$readme names $name, which does not exist"; failed=1; }
    done
done

names=$(mktemp)
trap 'rm -f "$names"' EXIT
# A paragraph, a row of a table and an item of a list are one group of names: "group:line:name".
awk '/^$/ || /^[|-]/ { group++ } /^```/ { fenced = !fenced } fenced { next } {
    line = $0
    while (match(line, /`[^`]*`/)) {
        print group ":" NR ":" substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
    }
}' ARCHITECTURE.md >"$names"
group=
while IFS=: read -r this number name; do
    [ "$this" = "$group" ] || { group=$this; folder=; }
    case $name in
    .* | /* | name.k.h | x.h | x.c | file.h | file_read.c | *' '* | *'<'* | *'*'*) ;;
    rw_*) grep -rqw "$name" --include='*.h' --include='*.c' src include || { echo "ARCHITECTURE.md:$number: there is no $name"; failed=1; } ;;
    *.c | *.h | *.cu | *.def | *.sh | *.py | *.json | */*)
        for path in "$name" "src/$name" "${folder:+$folder/$name}"; do
            [ -n "$path" ] && [ -e "$path" ] && break
            path=
        done
        if [ -n "$path" ]; then
            folder=$(dirname "$path")
        elif ! { [ -z "$folder" ] && ls src/models/*/"$name" >/dev/null 2>&1; }; then # "the model's options.c"
            echo "ARCHITECTURE.md:$number: there is no $name${folder:+ in $folder}"
            failed=1
        fi
        ;;
    esac
done <"$names"
exit $failed
