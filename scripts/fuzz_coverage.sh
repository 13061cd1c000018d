#!/bin/sh
# Line coverage of each fuzz target over its corpus, by clang: how many lines it runs, and their share of the lines of all files
# that it reaches.
# Usage: scripts/fuzz_coverage.sh BUILD_FOLDER [TARGET...]; prints "target lines percent", one a line
set -eu
[ $# -ge 1 ] || {
    sed -n '2,4s/^# //p' "$0" >&2
    exit 2
}
cd "$(dirname "$0")/.."
build=$1
shift
version=$(clang -dumpversion | cut -d. -f1)
[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls fuzz_*.c | sed 's/^fuzz_\(.*\)\.c$/\1/')
mkdir -p "$build"
{
    cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS="-g1 -O1 -fprofile-instr-generate -fcoverage-mapping" -DRW_CUDA=OFF -DRW_PNG=OFF -DRW_HDF5=OFF \
        -DRW_EMBREE=OFF -DRW_OPENMP=OFF -DRW_CMOCKA=OFF && cmake --build "$build" --target $(printf 'fuzz_%s ' "$@")
} >"$build/log.txt" 2>&1 || {
    tail -n 30 "$build/log.txt" >&2
    exit 1
}
for target; do
    program=$build/tests/fuzz/fuzz_$target
    RASTERWAVE_ISA=baseline LLVM_PROFILE_FILE="$build/$target.profraw" "$program" "tests/fuzz/corpus/$target.pack" \
        >"$build/$target.txt" 2>&1 || {
        echo "$target: its corpus failed; see $build/$target.txt" >&2
        exit 1
    }
    llvm-profdata-$version merge -o "$build/$target.profdata" "$build/$target.profraw"
    llvm-cov-$version export -summary-only -instr-profile="$build/$target.profdata" "$program" | python3 -c '
import json, sys
files = [file for file in json.load(sys.stdin)["data"][0]["files"] if "/tests/" not in file["filename"]]
lines = [file["summary"]["lines"] for file in files if file["summary"]["lines"]["covered"]]
covered = sum(line["covered"] for line in lines)
print(sys.argv[1], covered, "%.0f" % (100 * covered / max(1, sum(line["count"] for line in lines))))' "$target"
done
