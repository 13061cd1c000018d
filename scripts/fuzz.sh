#!/bin/sh
# Fuzz targets with clang's engine and sanitizers: built, run on all cores, their corpora extended.
# Usage: scripts/fuzz.sh FOLDER SECONDS [TARGET...]    builds, searches so long for each target, folds what is new
#        scripts/fuzz.sh build FOLDER                  builds all of tests/fuzz into FOLDER/fuzz, complete in itself
#        scripts/fuzz.sh pack FOLDER FILE.tar.xz       the same as one file for another machine; there, after unpacking:
#                                                      python3 fuzz/search.py fuzz SECONDS CORES
#        scripts/fuzz.sh fold FOLDER [RESULTS]         inputs with new edges from RESULTS (FOLDER/fuzz/results) into tests/fuzz/corpus/*.pack
# Inputs that fail are left in FOLDER/fuzz/results/found; they belong into the corpus, with the fix.
set -eu
usage()
{
    sed -n '3,8s/^# //p' "$0" >&2
    exit 2
}
[ $# -ge 2 ] || usage
cd "$(dirname "$0")/.."

# Targets that read through GDAL are built with it, all others with nothing but libcyaml: they start and run faster.
gdal_targets="gis raster zones"
all_targets=$(cd tests/fuzz && ls fuzz_*.c | sed 's/^fuzz_\(.*\)\.c$/\1/')

# configure_and_build FOLDER TARGETS CMAKE_OPTIONS...
configure_and_build()
{
    folder=$1
    targets=$2
    shift 2
    mkdir -p "$folder"
    {
        cmake -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-g1 -O1" \
            -DRW_FUZZ_ENGINE=ON -DRW_SANITIZE=ON -DRW_CUDA=OFF -DRW_PNG=OFF -DRW_HDF5=OFF -DRW_EMBREE=OFF \
            -DRW_CMOCKA=OFF "$@" && cmake --build "$folder" --target $targets
    } >"$folder/log.txt" 2>&1 || {
        tail -n 30 "$folder/log.txt" >&2
        exit 1
    }
}

# The libraries of a program that are not the C library's.
list_libraries()
{
    ldd "$1" | awk '$3 ~ /^\// { print $3 }' | grep -Ev '/lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so'
}

build()
{
    plain=
    for target in $all_targets; do
        case " $gdal_targets " in
        *" $target "*) ;;
        *) plain="$plain fuzz_$target" ;;
        esac
    done
    configure_and_build "$1/plain" "$plain" -DRW_GDAL=OFF
    configure_and_build "$1/gdal" "$(printf 'fuzz_%s ' $gdal_targets)" -DRW_GDAL=ON -DRW_CYAML=OFF
    mkdir -p "$1/fuzz/bin" "$1/fuzz/lib"
    cp "$1"/plain/tests/fuzz/fuzz_* "$1/fuzz/bin"
    for target in $gdal_targets; do
        cp "$1/gdal/tests/fuzz/fuzz_$target" "$1/fuzz/bin"
    done
    for program in "$1/fuzz/bin/fuzz_project" "$1/fuzz/bin/fuzz_gis"; do
        list_libraries "$program" | xargs -r cp -L -t "$1/fuzz/lib"
    done
    for data in /usr/share/proj/proj.db /usr/share/gdal/gcs.csv; do
        [ ! -e "$data" ] || cp "$data" "$1/fuzz/lib"
    done
    rm -rf "$1/fuzz/corpus"
    for target in $all_targets; do
        python3 scripts/corpus.py unpack "tests/fuzz/corpus/$target.pack" "$1/fuzz/corpus/$target"
    done
    cp scripts/fuzz_search.py "$1/fuzz/search.py"
}

# Without debug information: what failed is run again here.
pack()
{
    rm -rf "$1/pack"
    mkdir -p "$1/pack"
    cp -r "$1/fuzz" "$1/pack/fuzz"
    rm -rf "$1/pack/fuzz/results"
    strip -S "$1"/pack/fuzz/bin/* "$1"/pack/fuzz/lib/*.so*
    tar -C "$1/pack" -c fuzz | xz -T2 -6 --lzma2=dict=128MiB >"$2"
    rm -rf "$1/pack"
}

# Adds to each corpus the inputs that reach edges which none of it reaches.
fold()
{
    results=${2:-$1/fuzz/results}
    for target in $all_targets; do
        [ -d "$results/corpus/$target" ] || continue
        work=$results/work/$target
        mkdir -p "$work"
        LD_LIBRARY_PATH=$1/fuzz/lib "$1/fuzz/bin/fuzz_$target" -merge=1 -use_counters=0 -timeout=20 -max_len=4096 \
            -close_fd_mask=3 "$1/fuzz/corpus/$target" "$results/corpus/$target" "$work" >"$results/fold-$target.txt" 2>&1 &&
            python3 scripts/corpus.py pack "$1/fuzz/corpus/$target" "tests/fuzz/corpus/$target.pack" ||
            echo "$target: not folded; see $results/fold-$target.txt" >&2
    done
}

case $1 in
build) build "$2" ;;
pack)
    [ $# -eq 3 ] || usage
    pack "$2" "$3"
    ;;
fold) fold "$2" ${3:+"$3"} ;;
*)
    folder=$1
    seconds=$2
    shift 2
    [ $# -gt 0 ] || set -- $all_targets
    cores=$(nproc)
    build "$folder"
    failed=0
    python3 scripts/fuzz_search.py "$folder/fuzz" $((seconds * $# / cores + 1)) "$cores" "$@" || failed=1
    fold "$folder"
    exit $failed
    ;;
esac
