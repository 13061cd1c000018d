# Packages of Debian 12, Debian 13 and Ubuntu 24.04 that the build uses, and installing those that are missing. Sourced by ./demo
# and ./check: install_packages "$packages_build" "$packages_check" "$packages_tools". No name here has a version in it: what depends on
# the version of a tool comes from scripts/pinned.sh.

# Compiler and tools, then one package for each optional library.
packages_build="gcc libc6-dev cmake ninja-build pkg-config libgdal-dev libpng-dev libcyaml-dev libyaml-dev libhdf5-dev libmicrohttpd-dev zlib1g-dev"
# Only for tests and benchmark; make for projects that use an installed copy.
packages_check="make libcmocka-dev libembree-dev bash gdal-bin curl"
# What ./check runs in addition to compiler and tests: g++ is the host compiler of CUDA and reads the headers as C++, python3-venv is for
# scripts/nvcc.sh, Slurm for networks in shares.
packages_tools="git g++ slurm-wlm munge doxygen python3 python3-venv"
# The Python package: what it needs, what its tests need, and what it uses where present.
packages_python="python3-numpy python3-pytest python3-hypothesis python3-xarray python3-dask python3-distributed python3-zarr python3-rioxarray python3-matplotlib python3-geopandas python3-tqdm"

# The page of the server: what builds it, where no other node is there, and the browser that tests it.
packages_page=
command -v node >/dev/null 2>&1 || packages_page="nodejs npm"
packages_browser=chromium

missing_packages()
{
    for package in $*; do
        # A virtual package (pkg-config on newer releases) has no state of its own; its command tells.
        state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) || state=
        case $state in
        *" installed") ;;
        *) command -v "$package" >/dev/null 2>&1 || printf '%s ' "$package" ;;
        esac
    done
}

# Runs a command as root: directly, or by sudo where that asks for no password.
as_root()
{
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

install_packages()
{
    if ! command -v dpkg-query >/dev/null 2>&1; then
        # Not a Debian system: CMake tells what it does not find.
        return 0
    fi
    missing=$(missing_packages $*)
    [ -n "$missing" ] || return 0
    packages_log=$(mktemp) # its own name: the script that sources this file has a log too
    echo "installing: $missing"
    if as_root env DEBIAN_FRONTEND=noninteractive apt-get update >"$packages_log" 2>&1 &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >>"$packages_log" 2>&1; then
        rm -f "$packages_log"
        return 0
    fi
    tail -n 3 "$packages_log" >&2
    rm -f "$packages_log"
    echo "These packages are missing and could not be installed from here. As root, run:" >&2
    echo "  apt-get install --no-install-recommends ${missing% }" >&2
    return 1
}
