# Network layers, polygons, zones, areas, heights, storeys and the report, from outside. docs/how-to/network.md has the whole way.
. "$2/tests/support/cli.sh"
has_library gdal || finish
scene=city:grid:size=300m,300m
predict="rasterwave predict --scene $scene --tx 100,100,250,a --tx 200,200,250,b --res 20 --effects roofs,walls"

# The report is one file, with pictures inside and nothing that refers elsewhere; names are texts, not tags.
cat >zones.geojson <<'END'
{"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"name": "<w>"}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[150,0],[150,300],[0,300],[0,0]]]}}]}
END
$predict --layers power,best,strongest,sinr --level -90 --report r.html --zones zones.geojson --out net --json >said || fail "predict --report"
"$json_check" report coverage.all.receiver_percent <said || fail "JSON names the report"
grep -q 'data:image/png;base64,iVBOR' r.html || fail "no picture in the report"
grep -q '&lt;w&gt;' r.html || fail "the zone's name"
grep -E -q '(src|href)="[^d]' r.html && fail "the report refers to other files"
refuses 2 'html' $predict --report r.txt --out never
refuses 2 'report' $predict --zones zones.geojson --out never

# The polygons of the servers have the area of the cells that they serve.
rasterwave polygons net --out best.geojson >/dev/null || fail "polygons"
grep -q '"name": "b"' best.geojson || fail "polygons have the names of the transmitters"
rasterwave statistics net --layer best --json >all.json || fail "statistics"
cells=$(grep -o '"cells": [0-9]*' best.geojson | awk '{ sum += $2 } END { print sum }')
receivers=$(sed -n 's/.*"receivers": \([0-9]*\).*/\1/p' all.json)
[ "$cells" = "$receivers" ] || fail "$cells cells in polygons, $receivers in the map"
refuses 2 'levels' rasterwave polygons net --layer power --out never.gpkg
refuses 2 'coordinate system' rasterwave polygons net --out never.kml
refuses 2 'never.txt' rasterwave polygons net --out never.txt
rasterwave render net --layer sinr --georeferenced --out flat.png >/dev/null || fail "render --georeferenced"
[ "$(sed -n 4p flat.pgw)" = "-$(sed -n 1p flat.pgw)" ] || fail "the world file: $(cat flat.pgw)"

# A polygon limits the map: half of it is left.
$predict --layers power --area zones.geojson --out half --json >said || fail "predict --area FILE"
tr -d '\n ' <said | grep -q '"columns":8,"rows":15' || fail "the box of the polygon: $(cat said)"
refuses 2 'none.gpkg' $predict --area none.gpkg --out never

# Several heights, and storeys.
$predict --layers power --rx-height 1.5m,20 --out heights --quiet || fail "two heights"
[ -s heights/1.5m/power.tif ] && [ -s heights/20m/power.tif ] || fail "a folder for each height"
$predict --layers power --indoor slab --floor 0,2 --out floors --quiet || fail "two storeys"
[ -s floors/floor0/power.tif ] && [ -s floors/floor2/power.tif ] || fail "a folder for each storey"
refuses 2 'storeys' $predict --layers power --indoor slab --floor 0,1.5 --out never
refuses 2 'heights' $predict --layers power --rx-height 1.5m,high --out never
$predict --layers power --indoor slab --level -90 --storey-table storeys.csv --out st --quiet || fail "storeys"
awk -F, 'NR > 1 && ($5 <= 0 || $8 > $9 || $7 > $8 || $10 < 0 || $10 > 100) { bad = 1 } END { exit bad || NR < 3 }' storeys.csv ||
    fail "storeys: $(head -5 storeys.csv)"
awk -F, 'NR > 1 && $3 == 1 { high = 1 } END { exit !high }' storeys.csv || fail "no second storey"
refuses 2 'storeys are written' $predict --indoor slab --storey-table storeys.txt --out never
finish
