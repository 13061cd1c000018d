#!/bin/sh
# An installed copy works: the program runs from it, and the examples build against it in a bare folder, by find_package
# and by pkg-config. What is installed searches no unexpected folder and loads no library that only the benchmark needs.
# Usage: install.sh SOURCE_FOLDER BUILD_FOLDER CMAKE COMPILER [COMPILER_FLAGS]
source_dir=$1
build=$2
cmake=$3
compiler=$4
flags=${5:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
failures=0

fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# good COMMAND...: ends well; otherwise tells what it said.
good()
{
    "$@" >"$scratch/log" 2>&1 && return
    tail -n 20 "$scratch/log"
    fail "$*"
    return 1
}

good "$cmake" --install "$build" --prefix "$prefix" || exit 1
library=$(find "$prefix" -name 'librasterwave.so')
[ -n "$library" ] || { fail "no librasterwave.so is installed"; exit 1; }
libraries=$(dirname "$library")
for file in bin/rasterwave bin/rasterwave-bench include/rasterwave/rasterwave.h include/rasterwave/version.h \
    share/bash-completion/completions/rasterwave share/man/man1/rasterwave.1 share/man/man1/rasterwave-predict.1; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
done
for file in "$libraries/pkgconfig/rasterwave.pc" "$libraries/cmake/rasterwave/rasterwave-config.cmake"; do
    [ -s "$file" ] || fail "$file is not installed"
done

# An empty element of the search path is the folder that a program is run in.
for file in "$prefix/bin/rasterwave" "$prefix/bin/rasterwave-bench" "$library" "$build/rasterwave" "$build/rasterwave-bench" \
    "$build/librasterwave.so"; do
    path=$(readelf -d "$file" | sed -n 's/.*R[UN]*PATH.*\[\(.*\)\]/\1/p')
    case :$path: in
    ::) ;; # none
    *::*) fail "$file searches for libraries in '$path', which has an empty element" ;;
    esac
done
for file in "$prefix/bin/rasterwave" "$library"; do
    ldd "$file" >"$scratch/loaded" || fail "ldd $file"
    grep 'not found' "$scratch/loaded" && fail "$file does not find what it loads"
    grep -i -e embree -e libtbb "$scratch/loaded" && fail "$file loads what only the benchmark needs"
done

good "$prefix/bin/rasterwave" --version
good "$prefix/bin/rasterwave" bench --help
good "$prefix/bin/rasterwave-bench" --version
rm "$prefix/bin/rasterwave-bench"
PATH=/nonexistent "$prefix/bin/rasterwave" bench --only los >"$scratch/out" 2>"$scratch/err"
[ $? = 2 ] || fail "bench without its program does not end with 2"
grep -q 'rasterwave-bench, and is not installed' "$scratch/err" || fail "bench without its program says: $(cat "$scratch/err")"
[ ! -s "$scratch/out" ] || fail "bench without its program prints to standard output"

# By find_package, in a folder that holds nothing of the project but the examples.
mkdir "$scratch/found"
cp "$source_dir"/examples/*.c "$scratch/found"
cat >"$scratch/found/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(examples C)
find_package(rasterwave 0.1 REQUIRED)
foreach(name first_map office_channel)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} rasterwave::rasterwave)
endforeach()
END
good "$cmake" -S "$scratch/found" -B "$scratch/found/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_C_FLAGS="$flags" && good "$cmake" --build "$scratch/found/build" &&
    good "$scratch/found/build/first_map" "$scratch/found/out"

# By pkg-config.
if command -v pkg-config >/dev/null 2>&1; then
    mkdir "$scratch/plain"
    PKG_CONFIG_PATH=$libraries/pkgconfig
    export PKG_CONFIG_PATH
    for example in "$source_dir"/examples/*.c; do
        good "$compiler" $flags -o "$scratch/plain/$(basename "$example" .c)" "$example" \
            $(pkg-config --cflags --libs rasterwave) -lm
    done
    LD_LIBRARY_PATH=$libraries good "$scratch/plain/first_map" "$scratch/plain/out"
else
    echo "pkg-config is not installed: that way is not tried"
fi

[ "$failures" = 0 ]
