#!/bin/sh
# A network over a region: seconds by stage and peak memory of 600 sectors on 400 km2 at 10 m, growth with sites and area, two
# processes against one, default effects against roofs and walls. A smaller case takes less: bench/network.sh BUILD SIDE_KM SECTORS.
# Usage: bench/network.sh BUILD_FOLDER [SIDE_KM [SECTORS [RADIUS_M]]]
set -eu
program=$1/rasterwave
side=${2:-20}
sectors=${3:-600}
radius=${4:-2000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

network() # SIDE_KM OPTIONS...
{
    km=$1
    shift
    "$program" network --scene "city:european:size=${km}km,${km}km" --res 10 --level -110dBm --radius "$radius" "$@"
}

# places SIDE_KM SECTORS: a table of candidates, three sectors a mast, every other mast below the roofs; those that stand outside
# buildings become places-SIDE_KM.csv.
places()
{
    awk -v side="$1" -v sectors="$2" 'BEGIN {
        srand(1); print "name,x,y,height,azimuth,tilt,power,antenna"
        for (i = 0; i < sectors / 2; i++) {
            x = rand() * side * 1000; y = rand() * side * 1000
            for (k = 0; k < 3; k++)
                printf "m%d-%d,%.1f,%.1f,%d,%d,6,43,3gpp\n", i, k, x, y, i % 2 ? 40 : 12, 120 * k
        }
    }' >candidates.csv
    network "$1" --sites candidates.csv --skip-bad --dry-run --json --out none 2>/dev/null |
        sed -n 's/.*"transmitter \(m[0-9]*-[0-9]*\) .*/\1/p' >bad
    awk -F, 'NR == FNR { bad[$1] = 1; next } !($1 in bad)' bad candidates.csv >"places-$1.csv"
}

# sites SIDE_KM SECTORS: the first so many, in sites.csv.
sites()
{
    [ -e "places-$1.csv" ] || places "$1" "$2"
    head -n $(($2 + 1)) "places-$1.csv" >sites.csv
}

number() { sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" said | head -n 1; }

# run NAME SIDE_KM SECTORS OPTIONS...: one line of the table.
run()
{
    name=$1 km=$2 count=$3
    shift 3
    sites "$km" "$count"
    rm -rf net
    network "$km" --sites sites.csv --out net --json "$@" >said 2>/dev/null
    awk -v name="$name" -v s="$(number seconds)" -v m="$(number peak_memory_bytes)" -v n="$(number sites)" -v c="$(number site_cells)" \
        -v prepare="$(number prepare)" -v solve="$(number solve)" -v reduce="$(number reduce)" -v write="$(number write)" \
        -v merge="$(number merge)" 'BEGIN {
            printf "%-44s %8.1f s %6.0f MB %4d sectors %9.3g cells: ", name, s, m / 1e6, n, c
            printf "prepare %.1f solve %.1f reduce %.1f write %.1f merge %.1f\n", prepare, solve, reduce, write, merge }'
}

run "default effects" "$side" "$sectors"
run "roofs and walls" "$side" "$sectors" --effects roofs,walls
half=$((sectors / 2))
run "half of the sectors" "$side" "$half" --effects roofs,walls
run "half of the side, a quarter of the sectors" $((side / 2)) $((sectors / 4)) --effects roofs,walls

# Two processes of one thread each against one, on the smaller region.
shards()
{
    rm -rf net
    start=$(date +%s.%N)
    for i in $(seq "$1"); do
        network $((side / 2)) --sites sites.csv --effects roofs,walls --group-sites 6 --threads 1 --shard "$i/$1" --parts-only \
            --out net --quiet 2>/dev/null &
    done
    wait
    echo "$start $(date +%s.%N)" | awk -v n="$1" '{ printf "%-44s %8.1f s\n", n " process(es) of one thread", $2 - $1 }'
}
shards 1
shards 2
