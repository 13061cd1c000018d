#!/bin/sh
# labels: documents
# A name of a function in a backtrace, a profile or a search means one function: no static function of the library, the programs or the
# benchmark has the name of another one, and none is a bare verb. A function that other files call is declared in one header: that of its
# file (x.h of x.c), of its family (file.h of file_read.c), or of its folder (one without an x.c of its own, or named as the folder).
# Usage: names.sh SOURCE_FOLDER
cd "$1" || exit 1

# A line "NAME FILE" for each definition of a static function; a prototype in the same file is the same function.
list_static()
{
    find src programs bench \( -name '*.c' -o -name '*.h' -o -name '*.cu' \) ! -path '*/node_modules/*' | sort | xargs awk '
        /^(static|RW_FN|RW_RARE_FN|RW_ONE_FN|RW_FLAT_FN) / && match($0, /[A-Za-z_][A-Za-z_0-9]*\(/) && $0 !~ /^[^(]*[=\[]/ {
            print substr($0, RSTART, RLENGTH - 1), FILENAME
        }' | sort -u
}

# A line "NAME FILE" for each function that is not static: definitions of sources, declarations of headers.
list_defined()
{
    find src programs bench -name '*.c' ! -path '*/node_modules/*' | sort | xargs awk '
        /^[a-z]/ { name = ""; if ($0 !~ /^(static|typedef|extern|struct [a-z_]+ \{|enum)/ && match($0, /[a-z_][A-Za-z_0-9]*\(/)) name = substr($0, RSTART, RLENGTH - 1) }
        /^\{$/ && name != "" && name != "main" { print name, FILENAME; name = "" }'
}
list_declared()
{
    find src programs bench include -name '*.h' ! -name '*.k.h' | sort | xargs awk '
        /^(RW_API )?[a-z]/ && !/^(static|typedef)/ && match($0, /[a-z_][A-Za-z_0-9]*\(/) { print substr($0, RSTART, RLENGTH - 1), FILENAME }'
}

failed=0
misplaced=$({ list_declared | sed 's/^/D /'; list_defined | sed 's/^/F /'; find src programs bench -name '*.c' | sed 's/^/S /'; } | awk '
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function stem(path) { sub(/.*\//, "", path); sub(/\..*/, "", path); return path }
    $1 == "D" { if (index(" " headers[$2] " ", " " $3 " ") == 0) headers[$2] = headers[$2] " " $3 }
    $1 == "S" { source[$2] = 1 }
    $1 == "F" { name[++n] = $2; file[n] = $3 }
    END {
        for (i = 1; i <= n; i++) {
            number = split(headers[name[i]], list, " ")
            good = number == 0 # by a macro of a list
            for (j = 1; j <= number; j++) {
                own = list[j]
                sub(/\.h$/, ".c", own)
                at = folder(file[i])
                good = good || list[j] ~ /^include\// || stem(list[j]) == stem(folder(list[j])) && index(at "/", folder(list[j]) "/") == 1
                good = good || (folder(list[j]) == at && (stem(list[j]) == stem(file[i]) || index(stem(file[i]), stem(list[j]) "_") == 1 || !(own in source)))
                good = good || (folder(list[j]) == folder(at) && stem(list[j]) == stem(at))
            }
            if (!good || number > 1)
                print name[i] " of " file[i] ":" headers[name[i]]
        }
    }')
[ -z "$misplaced" ] || { echo "functions that the header of another file declares, or several headers:"; echo "$misplaced"; failed=1; }
twice=$(list_static | awk '{ files[$1] = files[$1] " " $2; if (++count[$1] == 2) names[++n] = $1 } END { for (i = 1; i <= n; i++) print names[i] ":" files[names[i]] }')
[ -z "$twice" ] || { echo "static functions of one name:"; echo "$twice"; failed=1; }
bare=$(list_static | awk '$1 !~ /_/' )
[ -z "$bare" ] || { echo "a static function is named by a verb and its object:"; echo "$bare"; failed=1; }
exit $failed
