#!/bin/sh
# How a network scales with workers: one and two processes (--shard) and one and two Dask workers, each of one thread, on a generated city
# with three sectors a mast. Prints seconds, the ratio to one, memory of the largest process, and whether the rasters are the same bytes.
# Without dask and distributed the rows of Dask are skipped. Run it on a machine that does nothing else.
# Usage: bench/scaling.sh BUILD_FOLDER [SIDE_KM [MASTS_PER_SIDE [RADIUS_M]]]
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
program=$build/rasterwave
side=${2:-6}
masts=${3:-9}
radius=${4:-2000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

"$program" generate city --style european --size "${side}km,${side}km" --seed 3 --out city.gpkg --quiet
awk -v side="$side" -v masts="$masts" 'BEGIN {
    print "name,x,y,height,azimuth,power,antenna,freq"
    step = side * 1000 / masts
    for (i = 0; i < masts * masts; i++)
        for (k = 0; k < 3; k++)
            printf "m%d-%d,%.1f,%.1f,60,%d,43,3gpp,2GHz\n", i, k, (i % masts + 0.5) * step, (int(i / masts) + 0.5) * step, 120 * k
}' >sites.csv

# network FOLDER OPTIONS...
network()
{
    folder=$1
    shift
    "$program" network --scene city.gpkg --sites sites.csv --skip-bad --res 10 --radius "$radius" --block-cells 256 \
        --layers best,strongest --threads 1 --out "$folder" "$@"
}

# peak NAME: megabytes of the largest process of this name's logs.
peak() { sed -n 's/.*"peak_memory_bytes": *\([0-9.e+]*\).*/\1/p' "$1".*.json | awk '{ if ($1 > most) most = $1 } END { printf "%.0f", most / 1e6 }'; }

row() { awk -v name="$1" -v s="$2" -v one="$3" -v mb="$4" 'BEGIN { printf "%-28s %8.1f s %6.2f times %6s MB a worker\n", name, s, one / s, mb }'; }

# processes N: one process for each of N shards; seconds.
processes()
{
    rm -rf "net$1"
    begun=$(date +%s.%N)
    i=1
    while [ "$i" -le "$1" ]; do
        network "net$1" --shard "$i/$1" --parts-only --json >"shards$1.$i.json" &
        i=$((i + 1))
    done
    wait
    echo "$begun $(date +%s.%N)" | awk '{ print $2 - $1 }'
}

echo "$side km x $side km at 10 m, $(($(wc -l <sites.csv) - 1)) sectors on masts of 60 m, radius $radius m"
one=$(processes 1)
two=$(processes 2)
row "one process" "$one" "$one" "$(peak shards1)"
row "two processes, one shard each" "$two" "$one" "$(peak shards2)"
for folder in net1 net2; do "$program" merge "$folder" --layers best,strongest --quiet; done
for file in $(cd net1 && find . -name '*.tif' | sort); do
    cmp -s "net1/$file" "net2/$file" || { echo "scaling: $file differs between one and two processes" >&2; exit 1; }
done
python=python3
python3 -c 'import distributed' 2>/dev/null || python=/usr/bin/python3 # the system's, if another one comes first in PATH
RASTERWAVE_LIBRARY=$(ls "$build"/librasterwave.so* | head -n 1) PYTHONPATH=$build/python "$python" "$source/bench/scaling_dask.py" "$radius" net1
