# Sourced by the tests in tests/cli: a scratch folder, and calls of the program that must succeed or be refused.
# Arguments of each test: the program, the source tree, json_check.
program=$1
source_dir=$2
json_check=$3

scratch=$(mktemp -d)
# A test has failed if fail was called anywhere, in a subshell too, however its script ends.
end_test()
{
    status=$?
    [ ! -e "$scratch.failed" ] || status=1
    rm -rf "$scratch" "$scratch.failed"
    exit "$status"
}
trap end_test EXIT
cd "$scratch" || exit 1
PATH=$(dirname "$program"):$PATH
failures=0

fail()
{
    echo "FAILED: $*"
    echo "$*" >>"$scratch.failed"
    failures=$((failures + 1))
}

finish()
{
    [ "$failures" = 0 ] || exit 1
    exit 0
}

# Whether an optional library is in this build.
has_library()
{
    case $1 in *[A-Z]*) fail "has_library $1: names of libraries are in small letters" ;; esac
    rasterwave --version | grep -q "^  $1:"
}

# refuses STATUS WORDS COMMAND...: the call ends with this status and one line on standard error, which starts with the
# program's name and holds the words; nothing on standard output, and nothing new in the folder.
refuses()
{
    status=$1
    words=$2
    shift 2
    ls -AR . >"$scratch.before"
    "$@" >"$scratch.out" 2>"$scratch.err"
    got=$?
    ls -AR . >"$scratch.after"
    [ "$got" = "$status" ] || fail "status $got instead of $status: $*: $(cat "$scratch.err")"
    [ "$(wc -l <"$scratch.err")" -eq 1 ] || fail "not one line on standard error: $*: $(cat "$scratch.err")"
    grep -q '^rasterwave: ' "$scratch.err" || fail "no 'rasterwave: ' first: $*: $(cat "$scratch.err")"
    grep -q -- "$words" "$scratch.err" || fail "no '$words' in: $*: $(cat "$scratch.err")"
    [ ! -s "$scratch.out" ] || fail "something on standard output: $*"
    cmp -s "$scratch.before" "$scratch.after" || fail "something left behind: $*: $(diff "$scratch.before" "$scratch.after")"
    rm -f "$scratch.before" "$scratch.after" "$scratch.out" "$scratch.err"
}
