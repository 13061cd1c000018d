#!/bin/sh
# Builds with CUDA, checks that CPU and GPU agree, then times: the whole GPU suite in one call.
# Needs nvcc, a C compiler and CMake; no optional library. Data, where there are some: RASTERWAVE_DATA.
# Usage: bench/gpu.sh [build folder]; results as a table and, with RESULTS=FILE, as lines of results.csv.
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/gpu}
generator=""
command -v ninja >/dev/null 2>&1 && generator="-G Ninja"

cmake -S "$root" -B "$build" $generator -DCMAKE_BUILD_TYPE=Release -DRW_CUDA=ON >"$build.configure.log" 2>&1 ||
    { cat "$build.configure.log"; exit 1; }
cmake --build "$build" -j "$(nproc)" >"$build.build.log" 2>&1 || { tail -n 40 "$build.build.log"; exit 1; }

echo "== parity of CPU and GPU"
ctest --test-dir "$build" -R 'test_los|test_roofs|test_streets|test_database|test_field|test_predict|test_engine|test_beam|test_cube|test_images|test_planes|test_slab_edges|test_sbr|test_raster|test_fan|test_view|test_tile|test_rt' --output-on-failure

echo "== times"
"$build/rasterwave" bench ${RASTERWAVE_DATA:+--data "$RASTERWAVE_DATA"}
if [ -n "$RESULTS" ]; then
    "$root/bench/record.sh" "$build/rasterwave" ${RASTERWAVE_DATA:+--data "$RASTERWAVE_DATA"} >"$RESULTS"
fi
