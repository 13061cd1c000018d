#!/bin/sh
# Copies the libraries that a program loads, but for those of the C library itself, to a folder, for a machine that does not have them.
# Usage: scripts/carry_libraries.sh PROGRAM FOLDER; a program of this project finds them beside itself.
set -eu
ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r library; do
    case ${library##*/} in
    libc.so* | libm.so* | libpthread.so* | libdl.so* | librt.so* | ld-linux* | libgcc_s.so* | librasterwave.so*) continue ;;
    esac
    cp -L "$library" "$2/"
    echo "${library##*/}"
done
