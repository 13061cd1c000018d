#!/bin/sh
# labels: documents
# A name of a function in a backtrace, a profile or a search means one function: no static function of the library, the programs or the
# benchmark has the name of another one, and none is a bare verb. Usage: names.sh SOURCE_FOLDER
cd "$1" || exit 1

# A line "NAME FILE" for each definition of a static function; a prototype in the same file is the same function.
list_static()
{
    find src programs bench \( -name '*.c' -o -name '*.h' -o -name '*.cu' \) ! -path '*/node_modules/*' | sort | xargs awk '
        /^(static|RW_FN|RW_RARE_FN|RW_ONE_FN|RW_FLAT_FN) / && match($0, /[A-Za-z_][A-Za-z_0-9]*\(/) && $0 !~ /^[^(]*[=\[]/ {
            print substr($0, RSTART, RLENGTH - 1), FILENAME
        }' | sort -u
}

failed=0
twice=$(list_static | awk '{ files[$1] = files[$1] " " $2; if (++count[$1] == 2) names[++n] = $1 } END { for (i = 1; i <= n; i++) print names[i] ":" files[names[i]] }')
[ -z "$twice" ] || { echo "static functions of one name:"; echo "$twice"; failed=1; }
bare=$(list_static | awk '$1 !~ /_/' )
[ -z "$bare" ] || { echo "a static function is named by a verb and its object:"; echo "$bare"; failed=1; }
exit $failed
