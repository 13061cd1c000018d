#!/bin/sh
# The public interface changes only where someone says so: its declarations are those in tests/repository/interface.txt, and the shared
# library shows the calls among them and nothing else.
# Usage: interface.sh SOURCE_FOLDER LIBRARY COMPILER
cd "$1" || exit 1
library=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

scripts/interface.sh "$3" >"$scratch/interface.txt"
if ! diff -u tests/repository/interface.txt "$scratch/interface.txt"; then
    echo "the interface changed: run scripts/abi_update.sh and say so in CHANGELOG.md"
    failed=1
fi

# Calls: declarations that are not a type's. The name stands before the first bracket.
grep -v '^typedef\|^ \|^}' "$scratch/interface.txt" | sed -n 's/^[^(]*[ *]\(rw_[a-z0-9_]*\)(.*/\1/p' | LC_ALL=C sort >"$scratch/declared"
nm -D --defined-only "$library" | awk '{ print $NF }' | sed 's/@.*//' | LC_ALL=C sort >"$scratch/shown"
[ "$(wc -l <"$scratch/declared")" -gt 50 ] || { echo "calls of the interface are not found in the headers"; failed=1; }
if ! diff "$scratch/declared" "$scratch/shown"; then
    echo "< is declared in the public headers, > is what the shared library shows: calls need RW_API and a definition"
    failed=1
fi
exit $failed
