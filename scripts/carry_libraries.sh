#!/bin/sh
# Copies the libraries that a program loads, but for those of the C library itself, to a folder, for a machine that does not have them. GDAL is
# among them, which a program of this project loads when it needs it.
# Usage: scripts/carry_libraries.sh PROGRAM FOLDER; a program of this project finds them beside itself.
set -eu

# list_libraries FILE
list_libraries()
{
    ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }'
}

# list_late_libraries FILE...: GDAL and what it needs, where one of the files names it.
list_late_libraries()
{
    name=$(cat "$@" | grep -ao 'libgdal\.so[.0-9]*' | head -n 1)
    [ -n "$name" ] || return 0
    gdal=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }')
    [ -n "$gdal" ] || {
        echo "$name, which $1 loads, is not on this machine" >&2
        exit 1
    }
    echo "$gdal"
    list_libraries "$gdal"
}

libraries=$(list_libraries "$1")
late=$(list_late_libraries "$1" $libraries)
printf '%s\n' $libraries $late | sort -u | while read -r library; do
    case ${library##*/} in
    libc.so* | libm.so* | libpthread.so* | libdl.so* | librt.so* | ld-linux* | libgcc_s.so* | librasterwave.so*) continue ;;
    esac
    cp -L "$library" "$2/"
    echo "${library##*/}"
done
