#!/bin/sh
# Errors on two measured buildings (docs/explanation/composition.md): an office (12 links in four bands from 2 to 6 GHz) and a flat
# (6 beacons at 2.44 GHz, 26 591 samples). Standard deviations in dB; in the office, of the links of each band and their mean.
# Usage: scripts/measured_indoor.sh [PROGRAM [DATA]]; DATA has where1/ (walls.csv, slabs.csv, materials.csv, links.csv) and flat/
# (walls.csv, sites.csv, points.csv); neither is part of the project. Without them it says so and ends with 77 (skipped).
set -eu
program=${1:-rasterwave}
data=${2:-${RASTERWAVE_DATA:-}}
office=$data/where1 flat=$data/flat
[ -f "$office/links.csv" ] && [ -f "$flat/points.csv" ] || { echo "skipped: no $office/links.csv or no $flat/points.csv"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Transmitters of the office, each position and height once: name,x,y,height; and each link with the name of its own.
awk -F, 'NR > 1 { key = $2 "," $3 "," $4; if (!(key in name)) { name[key] = "T" ++count; print name[key] "," key } }' \
    "$office/links.csv" >"$work/positions"
(echo name,x,y,height && cat "$work/positions") >"$work/office_sites.csv"
awk -F, 'NR == FNR { name[$2 "," $3 "," $4] = $1; next } FNR > 1 { print name[$2 "," $3 "," $4] "," $6 "," $7 "," $8 "," $9 "," $11 }' \
    "$work/positions" "$office/links.csv" >"$work/links"

# deviation_of OPTION...: the line of evaluate
deviation_of() { "$program" evaluate "$@" 2>/dev/null | awk '/^standard deviation/ { print $3, $4 }'; }

# office_line NAME OPTION...: its deviation in each band
office_line()
{
    name=$1
    shift
    printf '%-34s' "$name"
    for low in 2 3 4 5; do
        awk -F, -v low="$low" 'BEGIN { print "site,x,y,z,power" } $5 == low { print $1 "," $2 "," $3 "," $4 "," $6 }' \
            "$work/links" >"$work/band.csv"
        deviation_of --scene "$office/walls.csv" --sites "$work/office_sites.csv" --measurements "$work/band.csv" --quantity power \
            --freq "$low.5GHz" --average none "$@"
    done | awk '{ printf " %6.2f", $1; sum += $1; slope += $2 } END { printf "   %6.2f   %6.2f\n", sum / NR, slope / NR }'
}

flat_line()
{
    name=$1
    shift
    printf '%-34s' "$name"
    deviation_of --scene "$flat/walls.csv" --sites "$flat/sites.csv" --measurements "$flat/points.csv" --quantity power --offsets site \
        --res 0.5 "$@" | awk '{ printf " %6.2f   %6.2f\n", $1, $2 }'
}

echo "office                                2-3    3-4    4-5    5-6 GHz  mean   one slope"
office_line "shadow" --model shadow
office_line "shadow, --prior none" --model shadow --prior none
office_line "images, 3 interactions, --prior 3gpp" --model images --depth 3 --prior 3gpp --sum power
office_line "images, 3 interactions" --model images --depth 3 --sum power
office_line "images, default --sum, 3gpp" --model images --depth 3 --prior 3gpp
echo "flat                                    dB   one slope"
flat_line "shadow" --model shadow
flat_line "shadow, --prior none" --model shadow --prior none
flat_line "images" --model images
flat_line "images, --prior 3gpp" --model images --prior 3gpp
flat_line "images, --sum power" --model images --sum power
