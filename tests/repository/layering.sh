# labels: documents
# Data flows down the tree: a folder of src/ includes only itself and folders above it, and a file of src/ext only what the
# folder it serves may include. Argument: the source tree.
# Why the order is this one: docs/decisions/0001-layering.md
cd "$1" || exit 1
order="base scene discretise visibility field output mechanisms models network calibrate serve"
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

# Folders of src that stand above one, itself included; any of them may use the device.
above_of()
{
    for above in device $order; do
        echo "$above"
        [ "$above" = "$1" ] && return
    done
}

# may_include FILE FOLDER INCLUDED: FILE, as part of FOLDER, includes the path INCLUDED.
may_include()
{
    [ -f "src/$3" ] || {
        fail "$1 includes $3, which is not under src"
        return
    }
    case $3 in
    ext/*) above_of "$2" | grep -qx "$(served_by "src/$3")" || fail "$1 includes $3, which serves a folder below it" ;;
    *) above_of "$2" | grep -qx "${3%%/*}" || fail "$1 includes $3, which stands below it" ;;
    esac
}

# The folder that a file of ext serves: its first lines say so, "Serves: output."; otherwise base.
served_by()
{
    served=$(sed -n '1,8s/.*Serves: \([a-z]*\)\..*/\1/p' "$1")
    echo "${served:-base}"
}

for folder in $order; do
    [ -d "src/$folder" ] || continue
    for include in $(includes_of "src/$folder"); do
        may_include "${include%%:*}" "$folder" "${include##*:}"
    done
done
for include in $(includes_of src/ext); do
    may_include "${include%%:*}" "$(served_by "${include%%:*}")" "${include##*:}"
done

# Inside models: the engine, then rays, then the models, then gradients. No model includes another.
for include in $(includes_of src/models); do
    file=${include%%:*}
    folder=$(echo "$file" | cut -d/ -f3)
    case ${include##*:} in
    models/engine/* | "models/$folder/"*) ;;
    models/rays/*) [ "$folder" != engine ] || fail "$file includes ${include##*:}, but the engine does not depend on rays" ;;
    models/*) [ "$folder" = gradients ] || fail "$file includes ${include##*:}, another model" ;;
    esac
done

# The device knows kernels only by the list: their headers come in through kernels.def.
for include in $(includes_of src/device); do
    case $include in
    src/device/kernels.def:*:bench/*) fail "${include%%:*} includes ${include##*:}, which the benchmark alone launches" ;;
    src/device/kernels.def:*) ;;
    *:base/*.h | *:device/*) ;;
    *) fail "${include%%:*} includes ${include##*:}; kernels come in through kernels.def only" ;;
    esac
done

# The server knows no radio waves: of the library it has base alone, and gzip.
for include in $(includes_of src/serve); do
    case $include in
    *:base/* | *:serve/* | *:ext/zlib.h) ;;
    *) fail "${include%%:*} includes ${include##*:}, but the server uses base and ext/zlib.h alone" ;;
    esac
done

# Programs see the public headers and their own; two sources are shared with the library: how texts are written as JSON, and
# where a path leads. The commands behind the server see its header, too.
grep -rn --include='*.[ch]' '^#include' programs | while IFS=: read -r file line text; do
    name=$(echo "$text" | sed 's/^#include *[<"]\([^>"]*\)[>"].*/\1/')
    case $text in
    *'"base/text/json_write.h"'* | *'"base/text/normalise.h"'* | *'"base/inside_folder.h"'*) ;;
    *'"serve/serve.h"'*) case $file in programs/serve/*) ;; *) echo "$file:$line includes $name" ;; esac ;;
    *'"'*) [ -f "programs/$name" ] || echo "$file:$line includes $name" ;;
    *'<rasterwave/'*) [ -f "include/$name" ] || echo "$file:$line includes $name" ;;
    esac
done >"${TMPDIR:-/tmp}/layering.$$"
while read -r line; do
    fail "$line, but programs use only the public headers"
done <"${TMPDIR:-/tmp}/layering.$$"
rm -f "${TMPDIR:-/tmp}/layering.$$"

# Whether an optional library is in is asked in src/ext and tests/support only.
asked=$(grep -rnE '^ *# *(if|ifdef|ifndef|elif).*(RW_WITH_|HAVE_|GDAL|HDF5|CYAML|NLOPT|LAPACK|ZSTD|EMBREE|CMOCKA|LIBPNG)' \
    --include='*.[ch]' --include='*.cu' src programs tests include | grep -v -E '^(src/ext|tests/support)/')
[ -z "$asked" ] || fail "asks for an optional library: $asked"

[ "$failures" = 0 ]
