#!/bin/sh
# Compares the speed of two builds, run alternately, so that what else the machine does falls on both. Each line has the median of the CPU seconds
# (user and system) of each build, and their ratio. Builds for comparison are those of one compiler and the same flags.
# Usage: bench/ratio.sh OLD_PROGRAM NEW_PROGRAM [CASE...]
#   RATIO_RUNS=5              runs of each build
#   RATIO_CITY="FILE X,Y"     the city and its mast: Munich in RASTERWAVE_DATA, else a generated one
# Cases: first-H, warm-H (mast of H metres: a single map; each further transmitter), relief-H, plain-H (8 m of relief; the same on level ground), sectors,
#   masts (15 sectors on five masts; the masts alone), network, cubes, tiles, beams-H, growth (a mast in a city of 10 km), help, instructions-H (by callgrind)
set -eu
[ $# -ge 2 ] || {
    sed -n '2,8s/^# //p' "$0" >&2
    exit 2
}
old=$(realpath "$1")
new=$(realpath "$2")
shift 2
[ $# -gt 0 ] || set -- first-13 first-30 first-50 warm-13 warm-30 warm-50 plain-50 relief-50 masts sectors network cubes tiles beams-13 beams-30 \
    beams-50 growth help instructions-30 instructions-50
runs=${RATIO_RUNS:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

munich=${RASTERWAVE_DATA:-none}/munich/Munich_buildings.res
if [ -n "${RATIO_CITY:-}" ]; then
    city=${RATIO_CITY%% *}
    mast=${RATIO_CITY##* }
elif [ -f "$munich" ]; then
    city=$munich
    mast=1281.36,1381.27
else
    city=city:european:seed=1:size=2km,2km
    mast=1000,1005
fi
common="--freq 947MHz --res 5 --threads 1 --backend cpu --quiet"

# Generated cities on level ground and on hills of 8 m.
write_relief()
{
    [ -f plain.gpkg ] && return
    "$new" generate city --style european --seed 1 --size 1500m,1500m --out plain.gpkg >log 2>&1
    awk 'BEGIN {
        print "ncols 81\nnrows 81\nxllcorner -50\nyllcorner -50\ncellsize 20"
        for (row = 0; row < 81; row++)
            for (column = 0; column < 81; column++)
                printf "%.3f%s", 4 + 2 * sin(column / 3.1) + 2 * cos(row / 2.7), column < 80 ? " " : "\n"
    }' >relief.asc
}

write_sites() # AZIMUTHS...: five masts
{
    printf 'name,x,y,height,azimuth,tilt,power,antenna\n'
    for place in 0.3,0.3 0.7,0.3 0.3,0.7 0.7,0.7 0.5,0.5; do
        for azimuth in "$@"; do
            awk -v place="$place" -v azimuth="$azimuth" 'BEGIN {
                split(place, at, ",")
                printf "m%s-%s,%.1f,%.1f,35,%s,6,43,3gpp\n", place, azimuth, at[1] * 1500 + 3, at[2] * 1500 + 4, azimuth
            }' | sed 's/,/_/'
        done
    done
}

# options CASE: the command of a case.
options()
{
    height=${1##*-}
    case $1 in
    first-*) echo "predict --scene $city --tx $mast,$height $common --out map" ;;
    beams-*) echo "predict --scene $city --tx $mast,$height $common --model beams --out map" ;;
    cubes | tiles) echo "predict --scene $city --tx $mast,13 $common --model $1 --out map" ;;
    plain-*) echo "predict --scene plain.gpkg --tx 750,755,$height $common --out map" ;;
    relief-*) echo "predict --scene plain.gpkg --terrain relief.asc --tx 750,755,$height $common --out map" ;;
    masts | sectors) echo "predict --scene city:european:seed=1:size=1500m,1500m --sites $1.csv --skip-bad $common --layers power --out map" ;;
    network) echo "network --scene city:european:seed=1:size=1500m,1500m --sites sectors.csv --skip-bad $common --out map" ;;
    growth) echo "predict --scene city:european:seed=3:size=10km,10km --tx 5000,5005,30 --freq 947MHz --res 20 --threads 1 --backend cpu --quiet --out map" ;;
    warm-* | help | instructions-*) ;;
    *)
        echo "bench/ratio.sh: case $1 is not one of those that bench/ratio.sh lists without arguments" >&2
        exit 2
        ;;
    esac
}

# cpu_seconds PROGRAM OPTIONS...: of one run.
cpu_seconds()
{
    rm -rf map
    ("$@" >out.txt 2>&1 && times >times.txt) || {
        echo "bench/ratio.sh: $* fails: $(tail -n 1 out.txt)" >&2
        exit 1
    }
    awk 'NR == 2 { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' times.txt
}

# warm_seconds PROGRAM HEIGHT: what each of four further transmitters adds.
warm_seconds()
{
    line="predict --scene $city $common --out map"
    first=$mast,$2
    moved=$(echo "$mast" | awk -F, -v height="$2" '{ for (i = 1; i < 5; i++) printf " --tx %.1f,%.1f,%s", $1 + 2 * i, $2 + i, height }')
    one=$(cpu_seconds "$1" $line --tx "$first")
    five=$(cpu_seconds "$1" $line --tx "$first" $moved)
    echo "$one $five" | awk '{ print ($2 - $1) / 4 }'
}

count_instructions() # PROGRAM OPTIONS...
{
    rm -rf map
    RASTERWAVE_ISA=avx2 valgrind --tool=callgrind --callgrind-out-file=callgrind.out "$@" >out.txt 2>&1
    sed -n 's/^summary: //p;s/^totals: //p' callgrind.out | head -n 1
}

measure() # CASE PROGRAM
{
    case $1 in
    warm-*) warm_seconds "$2" "${1##*-}" ;;
    help) count_instructions "$2" --help ;;
    instructions-*)
        count_instructions "$2" predict --scene city:european:seed=1:size=800m,800m --tx 400,405,"${1##*-}" --layers path_loss --threads 1 \
            --backend cpu --quiet --out map
        ;;
    *) cpu_seconds "$2" $(options "$1") ;;
    esac
}

median()
{
    sort -g "$1" | awk '{ value[NR] = $1 } END { print NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2 }'
}

write_relief
write_sites 0 >masts.csv
write_sites 0 120 240 >sectors.csv
printf '%-16s %12s %12s %8s\n' case old new ratio
for name; do
    case $name in
    help | instructions-*) count=1 ;;
    *) count=$runs ;;
    esac
    options "$name" >/dev/null
    rm -f old.txt new.txt
    for run in $(seq "$count"); do
        measure "$name" "$old" >>old.txt
        measure "$name" "$new" >>new.txt
    done
    printf '%s %s %s\n' "$name" "$(median old.txt)" "$(median new.txt)" |
        awk '{ printf "%-16s %12.4g %12.4g %8.3f\n", $1, $2, $3, $3 / $2 }'
done
