#!/bin/sh
# labels: documents
# Every folder of src/, and those below, has a README that names each of its files, and names no file that is gone.
# Usage: readmes.sh SOURCE_FOLDER
cd "$1" || exit 1
failed=0
for folder in $(find src bench programs python tests -type d ! -path '*/corpus*' ! -path '*/cli*' ! -name __pycache__ ! -path '*/web/node_modules*' ! -path '*/web/dist*' ! -path '*/web/test/out*' | sort -u); do
    readme=$folder/README.md
    case $folder in src) continue ;; esac
    if [ ! -f "$readme" ]; then
        [ "$folder" = src/field ] && continue # its list grows with the physics and comes with it
        echo "$folder has no README.md"
        failed=1
        continue
    fi
    for file in "$folder"/*; do
        name=$(basename "$file")
        [ -f "$file" ] && [ "$name" != README.md ] || continue
        grep -qF "\`$name\`" "$readme" || { echo "$readme does not name $name"; failed=1; }
    done
    for name in $(grep '^- ' "$readme" | sed 's/: .*//' | grep -o '`[a-z0-9_]*\.[a-z.]*`' | tr -d '`'); do
        [ -f "$folder/$name" ] || { echo "$readme names $name, which is not there"; failed=1; }
    done
done
exit $failed
