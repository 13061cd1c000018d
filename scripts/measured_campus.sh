#!/bin/sh
# Leave-one-cell-out errors on measured RSRP of four cells of a campus at 3.6 GHz, without and with calibration and residuals: the table of
# docs/explanation/calibration.md. Usage: scripts/measured_campus.sh [PROGRAM [FOLDER]]
# FOLDER has rsrp.csv (site,lon,lat,device,rsrp_dbm), sites.csv (site,lon,lat,height_m,azimuth_deg,freq_ghz) and
# footprints.geojson; it is not part of the project. Needs gdaltransform. Without either it says so and ends with 77 (skipped).
set -eu
program=${1:-rasterwave}
data=${2:-${RASTERWAVE_DATA:-}/duke}
command -v gdaltransform >/dev/null || { echo "skipped: no gdaltransform"; exit 77; }
[ -f "$data/rsrp.csv" ] || { echo "skipped: no $data/rsrp.csv"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# to_metres FILE: x and y in UTM zone 17 of its columns 2 and 3, a line each
to_metres() { awk -F, 'NR > 1 { print $2, $3 }' "$1" | gdaltransform -s_srs EPSG:4326 -t_srs EPSG:32617 -output_xy; }

to_metres "$data/rsrp.csv" >"$work/points"
tail -n +2 "$data/rsrp.csv" | paste -d, "$work/points" - | tr ' ' , |
    awk -F, 'BEGIN { print "x,y,rsrp,site,device" } { print $1 "," $2 "," $7 "," $3 "," $6 }' >"$work/rsrp.csv"
to_metres "$data/sites.csv" >"$work/masts"
tail -n +2 "$data/sites.csv" | paste -d, "$work/masts" - | tr ' ' , |
    awk -F, 'BEGIN { print "name,x,y,height,azimuth,freq,antenna" }
        { print $3 "," $1 "," $2 "," $6 "," $7 "," $8 "GHz,3gpp" }' >"$work/sites.csv"
"$program" import "$data/footprints.geojson" --default-height 15 --out "$work/campus.gpkg" --quiet 2>/dev/null

# Powers and phones are not known: a constant for each phone at each cell. Standard deviations in dB, first one cell left out:
# uncalibrated, calibrated on the other three, and with what remained there (residuals).
call="--scene $work/campus.gpkg --sites $work/sites.csv --measurements $work/rsrp.csv --quantity rsrp --offsets site,device --res 4"
echo "cell  held out: uncalibrated, calibrated, with residuals of the others (standard deviation in dB)"
for cell in $(awk -F, 'NR > 1 { print $1 }' "$data/sites.csv"); do
    # shellcheck disable=SC2086
    "$program" calibrate $call --holdout "site=$cell" --residuals --out "$work/others.json" 2>/dev/null |
        awk -v cell="$cell" '/^held out/ { before = $(NF - 1); found = 1; next }
            found { printf "%s %s %s ", cell, before, $(NF - 1); exit }'
    # shellcheck disable=SC2086
    "$program" evaluate $call --site "$cell" --params "$work/others.json" 2>/dev/null | awk '/^standard deviation/ { print $3 }'
done
echo "all cells: unseen sites without and with calibration, formulas without a map, half of the 100 m blocks with residuals (RMSE in dB)"
# shellcheck disable=SC2086
"$program" calibrate $call --residuals 2>/dev/null | grep -E '^unseen|without a map|^residuals'
