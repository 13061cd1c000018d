#!/bin/sh
# Builds the fuzz targets with clang's engine and sanitizers and lets each search for some time from its corpus.
# Usage: scripts/fuzz.sh BUILD_FOLDER SECONDS [READER...]; without readers, all of tests/fuzz
# Inputs that fail are left in BUILD_FOLDER/found/READER; they belong into the corpus, with the fix.
set -eu
[ $# -ge 2 ] || {
    sed -n '2,4s/^# //p' "$0" >&2
    exit 2
}
cd "$(dirname "$0")/.."
build=$1
seconds=$2
shift 2
[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls fuzz_*.c | sed 's/^fuzz_\(.*\)\.c$/\1/')

mkdir -p "$build"
targets=$(printf 'fuzz_%s ' "$@")
{
    cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-g1 -O1" \
        -DRW_FUZZ_ENGINE=ON -DRW_SANITIZE=ON -DRW_CUDA=OFF && cmake --build "$build" --target $targets
} >"$build/log.txt" 2>&1 || {
    tail -n 30 "$build/log.txt" >&2
    exit 1
}

failed=0
for reader; do
    found=$build/found/$reader
    mkdir -p "$found"
    # Memory that libraries keep for their whole life is not the reader's.
    if ASAN_OPTIONS=detect_leaks=0 "$build/tests/fuzz/fuzz_$reader" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$found/failed-" "$found" "tests/fuzz/corpus/$reader" >"$found.txt" 2>&1; then
        echo "$reader: $(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$found.txt") runs in $seconds s, no failure"
    else
        echo "$reader: FAILED; see $found.txt"
        failed=1
    fi
done
exit $failed
