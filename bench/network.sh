#!/bin/sh
# A network over a region: seconds and peak memory of 600 sectors on 400 km2 at 10 m, growth with sites and area, two processes
# against one, default effects against roofs and walls. A third of the time is a smaller case: bench/network.sh BUILD SIDE_KM SECTORS.
# Usage: bench/network.sh BUILD_FOLDER [SIDE_KM [SECTORS [RADIUS_M]]]
set -eu
program=$1/rasterwave
side=${2:-20}
sectors=${3:-600}
radius=${4:-2000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# sites FILE SIDE_KM SECTORS: three sectors a mast, every other mast below the roofs; masts inside buildings are left out.
sites()
{
    awk -v side="$2" -v sectors="$3" 'BEGIN {
        srand(1); print "name,x,y,height,azimuth,tilt,power,antenna"
        for (i = 0; i < sectors / 3; i++) {
            x = rand() * side * 1000; y = rand() * side * 1000
            for (k = 0; k < 3; k++)
                printf "m%d-%d,%.1f,%.1f,%d,%d,6,43,3gpp\n", i, k, x, y, i % 2 ? 40 : 12, 120 * k
        }
    }' >"$1"
}

number() { sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" said | head -n 1; }

# run NAME SIDE_KM SECTORS OPTIONS...: one line of the table.
run()
{
    name=$1 km=$2 count=$3
    shift 3
    sites sites.csv "$km" "$count"
    rm -rf net
    "$program" network --scene "city:european:size=${km}km,${km}km" --sites sites.csv --skip-bad --res 10 --level -110dBm \
        --radius "$radius" --out net --json "$@" >said 2>/dev/null
    awk -v name="$name" -v s="$(number seconds)" -v m="$(number peak_memory_bytes)" -v n="$(number sites)" -v c="$(number site_cells)" \
        'BEGIN { printf "%-44s %8.1f s %8.0f MB %6d sectors %10.3g cells\n", name, s, m / 1e6, n, c }'
}

run "default effects" "$side" "$sectors"
run "roofs and walls" "$side" "$sectors" --effects roofs,walls
half=$((sectors / 2))
run "half of the sectors" "$side" "$half" --effects roofs,walls
run "half of the side, a quarter of the sectors" $((side / 2)) $((sectors / 4)) --effects roofs,walls

# Two processes of one thread each against one.
shards()
{
    rm -rf net
    start=$(date +%s.%N)
    for i in $(seq "$1"); do
        "$program" network --scene "city:european:size=$((side / 2))km,$((side / 2))km" --sites sites.csv --skip-bad --res 10 --radius "$radius" \
            --effects roofs,walls --group-sites 6 --threads 1 --shard "$i/$1" --parts-only --out net --quiet 2>/dev/null &
    done
    wait
    echo "$start $(date +%s.%N)" | awk -v n="$1" '{ printf "%-44s %8.1f s\n", n " process(es) of one thread", $2 - $1 }'
}
shards 1
shards 2
