# rasterwave compare: numbers and picture of the difference of two maps; other grids are refused.
. "$2/tests/support/cli.sh"
call="rasterwave predict --scene office:size=12m,8m --tx 2,1.5,2 --freq 2.4GHz --model images --depth 2 --quiet"
$call --pixels 256 --out fine || fail "predict"
$call --pixels 32 --out coarse || fail "predict"
$call --pixels 32 --res 0.5 --out wide || fail "predict"

rasterwave compare fine fine >said 2>errors || fail "compare: $(cat errors)"
grep -q '^difference: mean 0 dB, RMS 0 dB, largest 0 dB' said || fail "a map differs from itself: $(cat said)"
rasterwave compare fine coarse --above 0.01dB >said 2>errors || fail "compare: $(cat errors)"
grep -q '^path_loss: [1-9][0-9]* cells in both maps' said || fail "cells: $(cat said)"
grep -q '^above 0.01 dB: [0-9.e-]* % of the cells' said || fail "share: $(cat said)"
rasterwave compare fine coarse --layer delay_spread --json >answer.json 2>errors || fail "compare --json: $(cat errors)"
"$json_check" first second layer unit cells only_first only_second mean rms max max_x_m max_y_m above share_above version \
    <answer.json || fail "JSON of compare"
grep -q '"layer": "delay_spread"' answer.json || fail "the layer: $(cat answer.json)"
[ -z "$(rasterwave compare fine coarse --quiet)" ] || fail "compare --quiet says something"
if has_library png; then
    rasterwave compare fine coarse --scene office:size=12m,8m --out difference.png >said || fail "picture"
    [ "$(tail -n 1 said)" = difference.png ] && [ -s difference.png ] || fail "no picture: $(cat said)"
fi

if has_library gdal; then
    rasterwave predict --scene city:grid:size=200m,200m --tx 100,100,30 --layers power --res 10 --out low --quiet || fail "predict"
    rasterwave predict --scene city:grid:size=200m,200m --tx 100,100,40 --layers power --res 10 --out high --quiet || fail "predict"
    printf '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"west"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[100,0],[100,200],[0,200],[0,0]]]}}]}' >west.geojson
    rasterwave compare low high --layer power --out difference.tif >said 2>errors || fail "compare --out .tif: $(cat errors)"
    grep -q '^difference: mean [-0-9.e]* dB, ' said || fail "the unit of a difference: $(cat said)"
    rasterwave statistics difference.tif >stats 2>&1 || fail "statistics of a difference: $(cat stats)"
    mean=$(sed -n 's/^difference: mean \([-0-9.e]*\) .*/\1/p' said)
    awk -v mean="$mean" '$1 == "all" { found = 1; if (($5 - mean) ^ 2 > 1e-3) exit 1 } END { exit !found }' stats || fail "mean $mean: $(cat stats)"
    rasterwave compare low high --layer power --zones west.geojson >said 2>errors || fail "compare --zones: $(cat errors)"
    grep -q '^west ' said && grep -q '^all ' said || fail "zones: $(cat said)"
    rasterwave polygons low --layer power --levels -60,-50 --contours --out lines.gpkg >said 2>errors || fail "contours: $(cat errors)"
    [ -s lines.gpkg ] || fail "no contour lines"
    refuses 2 'needs the levels' rasterwave polygons low --layer power --contours --out l.gpkg
    refuses 2 '.gpkg, .geojson or .shp' rasterwave polygons low --layer power --levels -60 --contours --out l.kml
    refuses 2 'name-field' rasterwave compare low high --layer power --name-field n
fi

refuses 2 'cells; they must be the same' rasterwave compare fine wide
refuses 2 'needs two maps' rasterwave compare fine
refuses 2 'one argument too many' rasterwave compare fine coarse wide
refuses 2 "has no layer 'xyzzy'" rasterwave compare fine coarse --layer xyzzy
refuses 2 'there is no number 2' rasterwave compare fine coarse --band 2
refuses 2 'missing.tif' rasterwave compare fine missing.tif
refuses 2 'pictures are written as NAME.png' rasterwave compare fine coarse --out a.jpg
finish
