#!/bin/sh
# Prints the public interface as text: every declaration of the public headers, one below the other, without comments and
# in the compiler's own order, so that any change of a call, a struct or an enumeration is a changed line.
# Usage: scripts/interface.sh [COMPILER]
set -eu
cd "$(dirname "$0")/.."
for header in include/rasterwave/*.h; do
    echo "#include <rasterwave/$(basename "$header")>"
done | LC_ALL=C "${1:-cc}" -std=c11 -E -x c -Iinclude - | awk '
    # Lines of the headers themselves, not of those of the system.
    /^# [0-9]+ "/ { own = $3 ~ /rasterwave\//; next }
    /^#/ { next }
    own { text = text " " $0 }
    END {
        gsub(/__attribute__ *\(\(visibility *\("default"\)\)\)/, "", text)
        gsub(/[ \t]+/, " ", text)
        count = split(text, letters, "")
        for (i = 1; i <= count; i++) {
            letter = letters[i]
            depth += (letter == "{") - (letter == "}")
            line = line letter
            if (letter == ";" || letter == "{") {
                sub(/^ +/, "", line)
                print (line ~ /^}/ || depth == (letter == "{") ? "" : "    ") line
                line = ""
            }
        }
    }'
