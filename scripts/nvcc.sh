#!/bin/sh
# Prints the path of a CUDA compiler: the nvcc on the PATH or in /usr/local/cuda, or else NVIDIA's compiler from its Python
# wheels, installed once into a folder of its own below ~/.cache (no root; needs python3 with venv, and a network).
# Usage: CUDACXX=$(scripts/nvcc.sh) cmake -S . -B build/cuda -G Ninja -DCMAKE_BUILD_TYPE=Release -DRW_CUDA=ON
set -eu
version=13.0
folder=${XDG_CACHE_HOME:-$HOME/.cache}/rasterwave/cuda-$version

# The compiler that the wheels brought, or nothing.
wheel_nvcc()
{
    find "$folder" -path '*/nvidia/cu13/bin/nvcc' 2>/dev/null | head -n 1
}

# Made beside its place and moved there when complete, so that an interrupted installation is not taken for a whole one.
install_wheels()
{
    packages=
    for part in cuda-nvcc cuda-runtime cuda-crt nvvm cuda-cccl; do
        packages="$packages nvidia-$part==$version.*"
    done
    rm -rf "$folder" "$folder.part"
    mkdir -p "$(dirname "$folder")"
    python3 -m venv "$folder.part" >&2 && "$folder.part/bin/pip" install -q --disable-pip-version-check $packages >&2 || {
        rm -rf "$folder.part"
        echo "scripts/nvcc.sh: no CUDA compiler is here and $packages could not be installed (needs python3 with venv)" >&2
        exit 1
    }
    home=$(dirname "$(dirname "$(find "$folder.part" -path '*/nvidia/cu13/bin/nvcc')")")
    [ -e "$home/lib64" ] || ln -s lib "$home/lib64" # where nvcc looks for its runtime
    mv "$folder.part" "$folder"
}

for found in "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc "$(wheel_nvcc)"; do
    [ -x "$found" ] && echo "$found" && exit 0
done
install_wheels
wheel_nvcc
