#!/bin/sh
# Prints the source files that a command enters, in the order of their first call, with the first function that is called in each and
# the number of functions: the course of a prediction, file by file. The last line counts files and functions.
# Usage: scripts/trace_files.sh [COMMAND OPTION...]; without a command, predict of a generated city by model shadow
# Builds the program once more, in build/trace, with gcc -finstrument-functions.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$source/build/trace
mkdir -p "$build"
[ -e "$build/build.ninja" ] || cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=None -DRW_CUDA=OFF -DRW_ISAS=OFF \
    -DRW_PAGE=OFF -DRW_PYTHON=OFF -DCMAKE_C_FLAGS="-g1 -O0 -finstrument-functions -finstrument-functions-exclude-file-list=/usr/" \
    >"$build/configure.txt"
ninja -C "$build" rasterwave-cli >"$build/log.txt" || {
    tail -n 20 "$build/log.txt" >&2
    exit 1
}
gcc -shared -fPIC -O2 -o "$build/trace_files.so" "$source/scripts/trace_files.c" -ldl

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ $# -gt 0 ] || set -- predict --scene city:european:size=300m,300m:seed=1 --tx 150,145,13 --freq 2GHz --backend cpu --out "$folder/out"
LD_PRELOAD=$build/trace_files.so TRACE_OUTPUT=$folder/functions.txt "$build/rasterwave" "$@" >"$folder/output.txt" 2>&1 || {
    cat "$folder/output.txt" >&2
    exit 1
}

# "function file" for each, in the order of the calls of each object file; then in the order of all.
awk '{ print $1 }' "$folder/functions.txt" | sort -u | while read -r object; do
    awk -v object="$object" '$1 == object { print NR, $2 }' "$folder/functions.txt" >"$folder/numbers.txt"
    awk '{ print $2 }' "$folder/numbers.txt" | addr2line -f -e "$object" | paste -d ' ' - - |
        paste -d ' ' "$folder/numbers.txt" - | awk '{ print $1, $3, $4 }'
done | sort -n | sed -e "s|$source/||" -e 's|:[0-9?]*$||' -e 's|build/trace/\.\./\.\./||' | awk '
    { functions++ }
    !($3 in first) { first[$3] = $2; order[++files] = $3 }
    { number[$3]++ }
    END {
        for (i = 1; i <= files; i++)
            printf "%3d %-58s %3d  %s\n", i, order[i], number[order[i]], first[order[i]]
        print files " files, " functions " functions"
    }'
