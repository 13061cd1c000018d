#!/bin/sh
# A README explains a folder (its method, its paper, the order to read it in): it has more than a title, does not list the files of its folder
# one by one, and every file or folder that it names exists. Usage: readmes.sh SOURCE_FOLDER
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
exit $failed
