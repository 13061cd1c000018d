#!/bin/sh
# The mutation check on a tree of one kernel and one test: what is killed, survives, is not reached and cannot be broken.
# Usage: mutants.sh SOURCE BUILD
set -eu
source=$1
work=$2/mutants
for program in python3 ninja cmake cc; do
    command -v "$program" >/dev/null || { echo "SKIPPED: mutants (no $program)"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work/tree/src/models/sbr" "$work/tree/src/base" "$work/tree/tests"

cat >"$work/tree/src/models/sbr/ramp.k.h" <<'END'
/* A comment with a - b < 2.0 is left alone. */
struct rw_ramp { double from[1 + 1]; };
static inline double rw_ramp(double x, double low, double high)
{
    static const double scale[2] = {3.0, 4.0};
    double at = x - low;
    if (at < -0.0 || x == 77.0)
        return 0.0;
    if (x > high) at = high - low;
    for (int i = 0; i < 1; i++)
        at += -scale[i] + scale[0];
    return 2.0 * (double)-at / (low - high) + 1e-9;
}
static inline double rw_idle(double x) { return x > 5.0 ? 6.0 : x; }
#ifdef __CUDACC__
static double rw_gpu(double x) { return no_such_name < 2.0 ? x : x; }
#endif
END
cat >"$work/tree/tests/test_ramp.c" <<'END'
#include "models/sbr/ramp.k.h"
int main(void)
{
    int right = rw_ramp(3.0, 1.0, 5.0) == 1.0 + 1e-9 && rw_ramp(0.0, 1.0, 5.0) == 0.0;
    return right ? 0 : 1;
}
END
cat >"$work/tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(ramp C)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_executable(test_ramp tests/test_ramp.c src/base/mutant.c)
target_include_directories(test_ramp PRIVATE src)
END

python3 "$source/scripts/mutants.py" build "$work/built" --source "$work/tree" --each 100 --jobs 1 >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
python3 "$source/scripts/mutants.py" run "$work/built" --out "$work/results.csv" --jobs 2 --count 3
[ "$(wc -l <"$work/results.csv")" = 4 ] || { echo "3 mutants wanted, and a heading"; exit 1; }
python3 "$source/scripts/mutants.py" run "$work/built" --out "$work/results.csv" --jobs 2

# line kind mark outcome
cat >"$work/wanted" <<'END'
6 sign - killed
7 comparison < killed
7 comparison == killed
7 constant 0.0 killed
7 constant 77.0 survived
7 sign - survived
8 constant 0.0 killed
9 comparison > killed
9 sign - not reached
11 sign + killed
11 sign - killed
12 constant 2.0 killed
12 sign + killed
12 sign - killed
12 sign - killed
14 comparison > not reached
14 constant 5.0 not reached
14 constant 6.0 not reached
END
python3 - "$work/results.csv" <<'END' | sort -n -k1,1 -k2,3 >"$work/got"
import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    print(row["line"], row["kind"], row["mark"], row["outcome"])
END
sort -n -k1,1 -k2,3 "$work/wanted" | diff - "$work/got" || { echo "other outcomes than by hand"; exit 1; }

cat >"$work/reasons.csv" <<'END'
file,kind,mark,source,reason
src/models/sbr/ramp.k.h,constant,77.0,if (at < -0.0 || x == 77.0),no test is there
END
python3 "$source/scripts/mutants.py" report "$work/results.csv" --reasons "$work/reasons.csv" >"$work/report.md"
grep -q '^| all | 18 | 12 | 2 | 4 | 1 | 67 % | 71 % |' "$work/report.md"
grep -q 'survived | no test is there |$' "$work/report.md"

python3 "$source/scripts/mutants.py" pack "$work/built" "$work/pack.tar.xz"
python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$work/pack.tar.xz" "$work/other"
(cd "$work/other/mutants" && python3 mutants.py run . --out results.csv --jobs 1 --first 2 --count 1)
[ "$(wc -l <"$work/other/mutants/results.csv")" = 2 ] || { echo "a packed folder does not run"; exit 1; }
