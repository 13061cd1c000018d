#!/bin/sh
# Runs ./demo and ./check of the last commit on machines that have nothing: bare Debian 12 and 13, each in a folder of its own. Needs root,
# debootstrap, a Debian mirror (MIRROR) and the package indexes of Python and npm; about 3 GB are fetched for each.
# The network is reached as this machine reaches it: names, certificates and proxies are passed on, nothing else.
# Usage: scripts/try_bare.sh [--keep FOLDER] [bookworm] [trixie]; --keep leaves the systems there and uses them again
set -eu
cd "$(dirname "$0")/.."
mirror=${MIRROR:-http://deb.debian.org/debian}
keep=
if [ "${1:-}" = --keep ]; then
    keep=$2
    shift 2
fi
[ $# -gt 0 ] || set -- bookworm trixie
[ "$(id -u)" = 0 ] || {
    echo "try_bare: must be run as root, because it installs packages in folders of its own" >&2
    exit 2
}
command -v debootstrap >/dev/null 2>&1 || {
    echo "try_bare: debootstrap is missing; run: apt-get install debootstrap" >&2
    exit 2
}
folder=${keep:-$(mktemp -d)}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
certificates=/etc/ssl/certs/ca-certificates.crt
mounted=

release_mounts()
{
    for mount in $mounted; do
        umount "$mount" 2>/dev/null || umount -l "$mount" 2>/dev/null || true
    done
    mounted=
}

clean_up()
{
    release_mounts
    [ -n "$keep" ] || rm -rf --one-file-system "$folder"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# inside COMMAND...: runs in the bare system, in the clone, with nothing of this machine's environment but how the network is reached.
inside()
{
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} ${no_proxy:+no_proxy="$no_proxy"} \
        ${certified:+PIP_CERT="$certified"} ${certified:+NODE_EXTRA_CA_CERTS="$certified"} \
        chroot "$system" sh -c 'cd /root/rasterwave && exec "$@"' sh "$@"
}

# try_release RELEASE: one system, both commands.
try_release()
{
    system=$folder/$1
    [ -d "$system/usr/bin" ] || {
        echo "== $1: bare system"
        debootstrap --variant=minbase "$1" "$system" "$mirror" >"$folder/$1.txt" 2>&1 || {
            tail -n 5 "$folder/$1.txt" >&2
            return 1
        }
    }
    cp /etc/resolv.conf "$system/etc/resolv.conf" 2>/dev/null || true
    cp "$certificates" "$system/etc/host-certificates.crt" 2>/dev/null && certified=/etc/host-certificates.crt || certified=
    for mount in proc dev dev/shm; do
        case $mount in
        proc) mount -t proc proc "$system/proc" ;;
        dev) mount --bind /dev "$system/dev" ;;
        dev/shm) mount -t tmpfs tmpfs "$system/dev/shm" ;;
        esac 2>/dev/null && mounted="$system/$mount $mounted"
    done
    rm -rf "$system/root/rasterwave"
    git clone -q . "$system/root/rasterwave"
    for command in ./demo ./check; do
        echo "== $1: $command"
        inside "$command" || return 1
    done
    release_mounts
}

for release; do
    try_release "$release" || {
        echo "try_bare: failed on bare Debian $release" >&2
        exit 1
    }
done
echo "try_bare: ./demo and ./check pass on bare Debian: $*"
