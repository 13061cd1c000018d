# Each public header compiles alone and twice, as C11 and as C++, without a warning, includes no file of the sources, and has
# a comment above every call.
# Arguments: the source tree, the C compiler, the C++ compiler (may be missing: then C++ is skipped, and said so).
cd "$1" || exit 1
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# compiles LANGUAGE COMPILER STANDARD HEADER
compiles()
{
    printf '#include <%s>\n#include <%s>\nint use_%s;\n' "$4" "$4" "$1" >"$work/use.$1"
    "$2" "-std=$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude "$work/use.$1" || {
        echo "FAILED: $4 as $3"
        failures=$((failures + 1))
    }
}

for header in include/rasterwave/*.h; do
    name=${header#include/}
    compiles c "$2" c11 "$name"
    [ -n "$3" ] && compiles cpp "$3" c++11 "$name"
    others=$(grep -n '^#include "' "$header")
    [ -z "$others" ] || {
        echo "FAILED: $header: $others"
        failures=$((failures + 1))
    }
    bare=$(awk '/^RW_API/ && before !~ /\*\/$/ { print FILENAME ":" FNR ": " $0 } { before = $0 }' "$header")
    [ -z "$bare" ] || {
        echo "FAILED: calls without a comment above them: $bare"
        failures=$((failures + 1))
    }
done
[ "$failures" = 0 ] || exit 1
[ -n "$3" ] || {
    echo "SKIPPED: headers (no C++ compiler; C11 alone was tried)"
    exit 77
}
