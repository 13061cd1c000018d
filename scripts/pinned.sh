#!/bin/sh
# Prints the path of a tool whose version decides its result: clang-format, clang-tidy or mypy, at one version, from wheels of the Python
# package index. They are installed once into a folder of their own below ~/.cache (no root; needs python3 with venv, and a network).
# Usage: scripts/pinned.sh TOOL
set -eu
wheels="clang-format==14.0.6 clang-tidy==14.0.6 mypy==1.18.2 numpy==2.1.3"
folder=${XDG_CACHE_HOME:-$HOME/.cache}/rasterwave/tools-$(echo "$wheels" | cksum | cut -d ' ' -f 1)

# Made under another name and moved when complete, so that an interrupted installation is not taken for a whole one. The programs
# of an environment name its folder: those that are scripts are called by its interpreter.
if [ ! -d "$folder" ]; then
    rm -rf "$folder.part"
    mkdir -p "$(dirname "$folder")"
    python3 -m venv "$folder.part" >&2 && "$folder.part/bin/python" -m pip install -q --disable-pip-version-check $wheels >&2 || {
        rm -rf "$folder.part"
        echo "scripts/pinned.sh: $wheels could not be installed (needs python3 with venv, and the Python package index)" >&2
        exit 1
    }
    sed -i "s|$folder.part|$folder|g" "$folder.part/bin/clang-format" "$folder.part/bin/clang-tidy" "$folder.part/bin/mypy"
    mv "$folder.part" "$folder"
fi
[ -x "$folder/bin/${1:-}" ] || {
    echo "Usage: scripts/pinned.sh clang-format|clang-tidy|mypy" >&2
    exit 2
}
echo "$folder/bin/$1"
