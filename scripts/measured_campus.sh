#!/bin/sh
# Errors on measured RSRP of four cells of a campus at 3.6 GHz: uncalibrated, for each model and cell and against formulas without a
# map (the table of docs/explanation/composition.md), and leave-one-cell-out without and with calibration and residuals (docs/explanation/calibration.md).
# Usage: scripts/measured_campus.sh [PROGRAM [FOLDER [MODELS]]]; MODELS: "shadow cubes beams tiles"; none: only
# calibration. CAMPUS_HEIGHT: assumed height of buildings in metres (15). CAMPUS_CALIBRATE=no: without calibration.
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
"$program" import "$data/footprints.geojson" --default-height "${CAMPUS_HEIGHT:-15}" --out "$work/campus.gpkg" --quiet 2>/dev/null

# evaluate_model MODEL NAME [OPTION...]: points of that model in $work/NAME/points.csv
evaluate_model()
{
    model=$1 name=$2
    shift 2
    "$program" evaluate --scene "$work/campus.gpkg" --sites "$work/sites.csv" --measurements "$work/rsrp.csv" --quantity rsrp \
        --offsets site,device --res 4 --model "$model" --out "$work/$name" --quiet "$@" 2>/dev/null
}

# Of points.csv of a model, after that of free space: errors with one constant for each phone at each cell. A formula without a map
# is then its slope with distance alone: COST-Hata for a mast of 24 m, or one fitted to all points.
errors_of()
{
    awk -F, -v name="$3" -v mast_x="$mast_x" -v mast_y="$mast_y" '
        FNR == 1 { file++; next }
        { key = $1 "," $2 "," $9 "," $10 }
        file == 1 { free[key] = $4; next }
        !(key in free) { next }
        {
            n++
            group[n] = $9 "," $10; cell[n] = $9; sight[n] = $11 == "" ? -1 : $11 == 0
            log_m[n] = log(sqrt(($1 - mast_x) ^ 2 + ($2 - mast_y) ^ 2)) / log(10)
            value["measured", n] = $3; value["predicted", n] = $4; value["free", n] = free[key]; value["log", n] = log_m[n]
        }
        function centre(what, i, sum, count) {
            for (i = 1; i <= n; i++) { sum[group[i]] += value[what, i]; count[group[i]]++ }
            for (i = 1; i <= n; i++) value[what, i] -= sum[group[i]] / count[group[i]]
        }
        function deviation(what, slope, of, i, square, count) {
            for (i = 1; i <= n; i++)
                if (of == "" || cell[i] == of) { square += (value["measured", i] - slope * value[what, i]) ^ 2; count++ }
            return count ? sqrt(square / count) : 0
        }
        END {
            centre("measured"); centre("predicted"); centre("free"); centre("log")
            for (i = 1; i <= n; i++) {
                xy += value["measured", i] * value["log", i]; xx += value["log", i] ^ 2
                a = value["measured", i] - value["free", i]; b = value["predicted", i] - value["free", i]
                ab += a * b; bb += b * b
                e = value["measured", i] - value["predicted", i]
                if (sight[i] == 1) { in_sight += e; sights++ } else if (sight[i] == 0) { hidden += e; hides++ }
                of_cell[cell[i]]++
                if (e * e <= 64) within[cell[i]]++
            }
            printf "%-22s %6d  %5.2f  ", name, n, deviation("predicted", 1)
            for (k = 0; k < 4; k++) printf " %5.2f", deviation("predicted", 1, substr("ABCD", k + 1, 1))
            printf "   %5.2f", (bb > 0 ? ab / bb : 0)
            if (name != "free space") {
                if (sights && hides) printf "  %+5.1f %+5.1f  ", in_sight / sights, hidden / hides
                else printf "      -     -  "
                for (k = 0; k < 4; k++) printf " %2.0f", 100 * within[substr("ABCD", k + 1, 1)] / of_cell[substr("ABCD", k + 1, 1)]
            }
            print ""
            if (name == "free space") {
                hata = 44.9 - 6.55 * log(24) / log(10); one = xy / xx
                printf "%-22s %6d  %5.2f  ", "COST-Hata", n, deviation("log", hata)
                for (k = 0; k < 4; k++) printf " %5.2f", deviation("log", hata, substr("ABCD", k + 1, 1))
                printf "\n%-22s %6d  %5.2f  ", "one slope, " sprintf("%.1f dB", one), n, deviation("log", one)
                for (k = 0; k < 4; k++) printf " %5.2f", deviation("log", one, substr("ABCD", k + 1, 1))
                print ""
            }
        }' "$1" "$2"
}

models=${3-shadow cubes beams tiles}
if [ -n "$models" ]; then
    read -r mast_x mast_y <"$work/masts"
    echo "uncalibrated           points  std. dev. in dB; cells A B C D; slope of measured on predicted excess; mean error in sight, outside; % within 8 dB (layer sigma) A B C D"
    evaluate_model shadow free --effects none --prior none
    errors_of "$work/free/points.csv" "$work/free/points.csv" "free space"
    for model in $models; do
        evaluate_model "$model" "$model"
        errors_of "$work/free/points.csv" "$work/$model/points.csv" "$model"
        evaluate_model "$model" "$model-none" --prior none
        errors_of "$work/free/points.csv" "$work/$model-none/points.csv" "$model, prior none"
    done
fi
[ "${CAMPUS_CALIBRATE:-yes}" = yes ] || exit 0

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
