#!/bin/sh
# Runs the benchmark and prints its results as lines of bench/results.csv, to be added there and reviewed as a diff.
# Usage: bench/record.sh PROGRAM [bench options]    for example: bench/record.sh build/rasterwave --data DIR >>bench/results.csv
set -e
program=$1
shift
"$program" bench --json "$@" | awk '
function text(line) { sub(/^[^:]*: */, "", line); sub(/,$/, "", line); return line }
/"version":/ { version = text($0) }
/"machine":/ { machine = text($0) }
/"group":/ { group = text($0) }
/"name":/ { name = text($0) }
/"value":/ { value = text($0) }
/"unit":/ { unit = text($0) }
/"note":/ { printf "%s,%s,%s,%s,%.4g,%s,%s\n", version, machine, group, name, value, unit, text($0) }
'
