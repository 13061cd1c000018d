# The tree shows the way of the data: a folder of src/ includes only itself and folders above it. Argument: the source tree.
# Why the order is this one: docs/decisions/0001-layering.md
cd "$1" || exit 1
order="base scene discretise visibility field output models calibrate bench"
failures=0

fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# "file:line:included path" of every project include in a folder.
includes_of()
{
    grep -rn --include='*.[ch]' --include='*.cu' --include='*.def' '^#include "' "$1" |
        sed 's/:#include "\([^"]*\)".*/:\1/'
}

above=" device ext "
for folder in $order; do
    above="$above$folder "
    [ -d "src/$folder" ] || continue
    for include in $(includes_of "src/$folder"); do
        from=${include%%:*}
        path=${include##*:}
        [ -f "src/$path" ] || {
            fail "$from includes $path, which is not under src"
            continue
        }
        case $above in
        *" ${path%%/*} "*) ;;
        *) fail "$from includes $path, which stands below it" ;;
        esac
    done
done

# The device knows kernels only by the list: their headers come in through kernels.def.
for include in $(includes_of src/device); do
    case $include in
    src/device/kernels.def:*) ;;
    *:base/*.h | *:device/*) ;;
    *) fail "${include%%:*} includes ${include##*:}; kernels come in through kernels.def only" ;;
    esac
done

# Programs see the public header and their own.
grep -n '^#include' programs/*.[ch] | while IFS=: read -r file line text; do
    name=$(echo "$text" | sed 's/^#include *[<"]\([^>"]*\)[>"].*/\1/')
    case $text in
    *'"'*) [ -f "programs/$name" ] || echo "$file:$line includes $name" ;;
    *'<rasterwave/rasterwave.h>'*) ;;
    *'<rasterwave/'*) echo "$file:$line includes $name" ;;
    esac
done >"${TMPDIR:-/tmp}/layering.$$"
while read -r line; do
    fail "$line, but programs use only the public header"
done <"${TMPDIR:-/tmp}/layering.$$"
rm -f "${TMPDIR:-/tmp}/layering.$$"

# Whether an optional library is in is asked in src/ext and tests/support only.
asked=$(grep -rnE '^ *# *(if|ifdef|ifndef|elif).*(RW_WITH_|HAVE_|GDAL|HDF5|CYAML|NLOPT|LAPACK|ZSTD|EMBREE|CMOCKA|LIBPNG)' \
    --include='*.[ch]' --include='*.cu' src programs tests include | grep -v -E '^(src/ext|tests/support)/')
[ -z "$asked" ] || fail "asks for an optional library: $asked"

[ "$failures" = 0 ]
