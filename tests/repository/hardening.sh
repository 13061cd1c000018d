# Protections that the built program and library have (cmake/hardening.cmake), read from the files themselves.
# Arguments: the program, the shared library, "sanitized" where the calls of the C library are not checked, the C compiler.
program=$1
library=$2
sanitized=$3
compiler=$4
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

command -v readelf >/dev/null 2>&1 || {
    echo "SKIPPED: hardening (no readelf)"
    exit 77
}

# holds_all FILE: what a program and a library have both.
holds_all()
{
    readelf -W -d "$1" >"$work/dynamic"
    readelf -W -l "$1" >"$work/segments"
    readelf -W --dyn-syms "$1" >"$work/symbols"
    grep -q 'BIND_NOW\|Flags:.* NOW' "$work/dynamic" || fail "$1 binds symbols while it runs"
    grep -q 'GNU_RELRO' "$work/segments" || fail "$1 has tables of addresses that stay writable"
    grep 'GNU_STACK' "$work/segments" | grep -q 'RWE' && fail "$1 has an executable stack"
    grep -q 'TEXTREL' "$work/dynamic" && fail "$1 has relocations in its code"
    grep -q '__stack_chk_fail' "$work/symbols" || fail "$1 has no stack protector"
    [ -n "$sanitized" ] || grep -q '__[a-z]*printf_chk' "$work/symbols" || fail "$1 has no checked calls of the C library"
    # An empty or relative element of a search path is the folder that a program is run in.
    sed -n 's/.*R\(UN\)*PATH).*\[\(.*\)\]/\2/p' "$work/dynamic" | tr ':' '\n' >"$work/path"
    sed -n 's/.*R\(UN\)*PATH).*\[\(.*\)\]/:\2:/p' "$work/dynamic" | grep -q '::' && fail "$1 has an empty element in its search path"
    while read -r element; do
        case $element in
        '$ORIGIN' | '$ORIGIN/'* | /*) ;;
        *) fail "$1 searches libraries in '$element'" ;;
        esac
    done <"$work/path"
}

holds_all "$program"
readelf -h "$program" | grep -q 'Type: *DYN' || fail "$program is not position-independent"
holds_all "$library"
shown=$(awk '$4 == "FUNC" || $4 == "OBJECT" { if ($5 != "LOCAL" && $6 == "DEFAULT" && $7 != "UND") print $8 }' "$work/symbols" |
    grep -v '^rw_')
[ -z "$shown" ] || fail "$library shows names that are not of its interface: $shown"

# Control-flow protection: where this compiler and C library give it to any program, ours has it too.
printf 'int main(void) { return 0; }\n' >"$work/plain.c"
if "$compiler" -fcf-protection=full "$work/plain.c" -o "$work/plain" 2>/dev/null && readelf -n "$work/plain" | grep -q 'IBT, SHSTK'; then
    for file in "$program" "$library"; do
        readelf -n "$file" | grep -q 'IBT, SHSTK' || fail "$file has no control-flow protection"
    done
fi

# A library of the current folder is not loaded: these are no libraries at all, so the program would not start.
for name in $(readelf -W -d "$program" "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort -u); do
    : >"$work/$name"
done
(cd "$work" && "$program" --version >/dev/null 2>&1) || fail "$program loads libraries of the folder that it is run in"
[ "$failures" = 0 ]
