#!/bin/sh
# Compares rasterwave.rt with Sionna RT on its example scenes (python/tests/test_rt_sionna.py). Makes a virtual environment with the
# packages of the Python package index, and installs the LLVM that Sionna RT needs; says SKIPPED where one of the two cannot be reached.
# Usage: scripts/sionna.sh BUILD_FOLDER ENVIRONMENT_FOLDER; the environment is kept for the next run
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
build=$(cd "$1" && pwd)
environment=$2

skip()
{
    echo "SKIPPED: $1: comparison with Sionna RT"
    exit 0
}

# Releases before 17 crash under Dr.Jit 1.5.
find_llvm()
{
    ls /usr/lib/*/libLLVM-19.so* /usr/lib/*/libLLVM-18.so* /usr/lib/*/libLLVM-17.so* /usr/lib/*/libLLVM.so.2* 2>/dev/null | head -n 1
}

[ -n "$(find_llvm)" ] || install_packages libllvm19 || skip "there is no libllvm19"
if ! "$environment/bin/python" -c "import sionna.rt, pytest" >/dev/null 2>&1; then
    rm -rf "$environment"
    python3 -m venv "$environment" || skip "there is no python3-venv"
    "$environment/bin/pip" -q --retries 1 --timeout 20 install sionna-rt==2.2.0 pytest || skip "the Python package index is not reached"
fi
DRJIT_LIBLLVM_PATH=$(find_llvm)
PYTHONPATH=$build/python
RASTERWAVE_LIBRARY=$(ls "$build"/librasterwave.so.* | head -n 1)
export DRJIT_LIBLLVM_PATH PYTHONPATH RASTERWAVE_LIBRARY PYTHONDONTWRITEBYTECODE=1
exec "$environment/bin/python" -m pytest -q -p no:cacheprovider python/tests/test_rt_sionna.py
