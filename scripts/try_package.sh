#!/bin/sh
# Tries the Debian packages on a bare Debian 12: makes one in a folder, installs the packages there with what they depend
# on, and runs the program. Needs root, debootstrap and a Debian mirror (MIRROR; about 300 MB are fetched).
# Usage: scripts/try_package.sh BUILD_FOLDER
set -eu
[ $# = 1 ] || {
    sed -n '2,4s/^# //p' "$0" >&2
    exit 2
}
build=$(cd "$1" && pwd)
mirror=${MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || {
    echo "try_package: must be run as root, because it installs packages in a folder of its own" >&2
    exit 2
}
command -v debootstrap >/dev/null 2>&1 || {
    echo "try_package: debootstrap is missing; run: apt-get install debootstrap" >&2
    exit 2
}
folder=$(mktemp -d)
debian=$folder/debian
log=$folder/log.txt
proc=

clean_up()
{
    [ -z "$proc" ] || umount "$debian/proc" 2>/dev/null || true
    rm -rf --one-file-system "$folder"
}
trap clean_up EXIT

# step TEXT COMMAND...: runs it; where it fails, shows the end of what it said.
step()
{
    echo "== $1"
    shift
    "$@" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        echo "try_package: failed: $*" >&2
        exit 1
    }
}

# inside COMMAND...: runs in the bare Debian, with nothing of this machine's environment.
inside()
{
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$debian" "$@"
}

step "packages" cpack --config "$build/CPackConfig.cmake" -B "$folder/packages"
step "bare Debian 12" debootstrap --variant=minbase bookworm "$debian" "$mirror"
if mount -t proc proc "$debian/proc" 2>"$log"; then
    proc=mounted
fi
mkdir "$debian/packages"
cp "$folder"/packages/*.deb "$debian/packages"
cp /etc/resolv.conf "$debian/etc/resolv.conf" 2>"$log" || true
step "rasterwave installed" inside sh -c 'apt-get update && apt-get install -y --no-install-recommends /packages/rasterwave_*.deb'
step "rasterwave --version" inside rasterwave --version
cat "$log"
step "a prediction" inside rasterwave predict --scene city:grid:size=200m,200m --tx 100,100,10 --out /tmp/map
[ -s "$debian/tmp/map/path_loss.tif" ] || [ -s "$debian/tmp/map/path_loss.bin" ] || {
    echo "try_package: no map was written" >&2
    exit 1
}
step "the benchmark installed" inside sh -c 'apt-get install -y --no-install-recommends /packages/rasterwave-bench_*.deb'
step "rasterwave bench" inside rasterwave bench --only physics --threads 1
step "a program against the library" inside sh -c 'apt-get install -y --no-install-recommends gcc libc6-dev pkg-config /packages/rasterwave-dev_*.deb'
cp "$(dirname "$0")/../examples/first_map.c" "$debian/tmp"
step "its compilation and run" inside sh -c 'cd /tmp && gcc -o first_map first_map.c $(pkg-config --cflags --libs rasterwave) -lm && ./first_map out'
step "rasterwave removed" inside sh -c 'apt-get remove -y rasterwave && ! command -v rasterwave'
echo "try_package: the packages install and run on Debian 12"
