# The same question has one answer: what users found to differ between commands (issue 32), on the command line. Other rows of that
# table: instruction sets test_edge_ties, test_interfaces; gradients, evaluate, paths against maps test_interfaces; levels and
# people cli_levels; folds test_calibrate; 20 km of round earth test_hills; mechanisms and delay spread without a path
# cli_nodata; one median test_compose and one_formula; indoors test_indoor, cli_points; exports of the strongest below.
. "$2/tests/support/cli.sh"

# number NAME FILE: the first number of that name in a JSON file.
number()
{
    tr -d ' \n' <"$2" | grep -o "\"$1\":[0-9.e+-]*" | head -n 1 | cut -d : -f 2
}

# near A B LIMIT: whether two numbers are that near.
near()
{
    awk -v a="$1" -v b="$2" -v limit="$3" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d <= limit && -d <= limit) }'
}

# agree NAME OPTIONS...: predict at a point, its budget, and evaluate have one loss; the budget adds up to it.
agree()
{
    name=$1
    at=$2
    shift 2
    rasterwave predict "$@" --at "$at" --layers path_loss --out point.csv --quiet || fail "$name: predict"
    loss=$(awk -F, 'END { print $NF }' point.csv)
    rasterwave paths "$@" --at "$at" --json --quiet >paths.json || fail "$name: paths"
    near "$loss" "$(number path_loss_db paths.json)" 0.001 || fail "$name: predict $loss, paths $(number path_loss_db paths.json)"
    grep -q '"arrivals": *\[ *{\{0,1\}' paths.json || fail "$name: no arrival: $(cat paths.json)"
    printf 'x,y,path_loss\n%s,100\n' "$at" >measured.csv
    rasterwave evaluate "$@" --measurements measured.csv --average none --json --quiet >evaluated.json || fail "$name: evaluate"
    near "$loss" "$(awk -v error="$(number mean_error_db evaluated.json)" 'BEGIN { printf "%.6f", 100 - error }')" 0.001 ||
        fail "$name: predict $loss, error of evaluate $(number mean_error_db evaluated.json)"
}

city="--scene city:european:size=200m,200m:seed=1 --tx 100,95,30 --freq 2GHz"
for model in shadow beams cubes tiles; do
    agree "$model in a street" 60,60 $city --model $model
done

# A point of Munich that beams had at 164.3 dB, without a path, and without a prediction.
if [ -n "${RASTERWAVE_DATA:-}" ] && [ -e "$RASTERWAVE_DATA/munich/Munich_buildings.res" ]; then
    agree "beams in Munich" 1802.5,2502.5 --scene "$RASTERWAVE_DATA/munich/Munich_buildings.res" --tx 1281.36,1381.27,13 --freq 947MHz --model beams
fi

# Cells of the nearest tile are at its height, whatever height is requested; they are never a default.
for height in 1.5 10; do
    rasterwave predict $city --model tiles --cells nearest --rx-height $height --res 5 --layers path_loss --backend cpu --out nearest$height --quiet ||
        fail "nearest cells"
done
rasterwave compare nearest1.5 nearest10 --layer path_loss >text || fail "compare"
grep -q 'largest 0 dB' text || fail "the height of nearest cells counts: $(cat text)"
rasterwave predict $city --model tiles --res 5 --layers path_loss --backend cpu --out exact --quiet || fail "tiles"
rasterwave compare exact nearest1.5 --layer path_loss >text || fail "compare"
grep -q 'largest 0 dB' text && fail "the default is the nearest tile"

# 5 km over open land: no model has an empirical median there.
awk 'BEGIN { print "ncols 60\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 100"; for (r = 0; r < 4; r++) { s = ""; for (c = 0; c < 60; c++) s = s " 0"; print s } }' >flat.asc
if has_library gdal; then
    rasterwave generate city --size 100m,100m --seed 1 --out hamlet.gpkg --quiet || fail "generate"
    for model in shadow cubes beams tiles; do
        rasterwave paths --scene hamlet.gpkg --terrain flat.asc --tx 50,200,30 --freq 2GHz --model $model --prior 3gpp --at 4900,250 --json --quiet >$model.json || fail "$model over open land"
        near "$(number median_weight $model.json)" 0 1e-9 || fail "$model has a median over open land: $(number median_weight $model.json)"
        near "$(number path_loss_db $model.json)" "$(number path_loss_db shadow.json)" 3 ||
            fail "over open land $model has $(number path_loss_db $model.json), shadow $(number path_loss_db shadow.json)"
    done
fi

# Exports show the strongest transmitter of several, as the page does, and not the first.
two="--scene city:european:size=200m,200m:seed=1 --crs EPSG:32632 --tx 40,40,30,a --tx 160,160,30,b --freq 2GHz --res 5 --layers power --backend cpu --quiet"
rasterwave predict $two --out two || fail "two transmitters"
for file in areas.geojson areas.kml; do
    has_library gdal || continue
    rasterwave polygons two --layer power --levels -60 --out $file --quiet || fail "$file"
    rasterwave polygons two --layer power --transmitter 1 --levels -60 --out first-$file --quiet || fail "$file of the first"
    [ "$(wc -c <$file)" -gt 100 ] && ! cmp -s $file first-$file || fail "$file is that of transmitter 1"
done
finish
