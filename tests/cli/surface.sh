# labels: files
# import --surface: heights, missing buildings and trees of a surface model; statistics --confidence on its map.
. "$2/tests/support/cli.sh"
has_library gdal || { echo "SKIPPED: surface (no GDAL)"; exit 77; }

# Ground at 200 m; a known building of 9 m, one of 12 m without an outline, a wood.
awk 'BEGIN { srand(1); head = "ncols 120\nnrows 100\nxllcorner 0\nyllcorner 0\ncellsize 1\n"; printf head >"dtm.asc"; printf head >"dsm.asc"
    for (row = 0; row < 100; row++) for (column = 0; column < 120; column++) {
        y = 99.5 - row; x = column + 0.5; h = 0
        if (x > 10 && x < 40 && y > 10 && y < 30) h = 9
        if (x > 60 && x < 100 && y > 20 && y < 50) h = 12
        if (x > 10 && x < 50 && y > 60 && y < 90) h = 6 + 6 * rand()
        print 200 >"dtm.asc"; print 200 + h >"dsm.asc" } }'
printf '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25832"}},"features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[10,10],[40,10],[40,30],[10,30],[10,10]]]}}]}' >one.geojson
rasterwave import one.geojson --surface dsm.asc --terrain dtm.asc --out town.gpkg >said 2>errors || fail "import: $(cat errors)"
grep -q '^heights    0 of the file, 1 from the surface' said || fail "heights: $(cat said)"
grep -q '^found      1 building.* 1200 m2, 1 with right angles' said || fail "found: $(cat said)"
grep -q '^foliage    1[12][0-9][0-9] m2' said || fail "foliage: $(cat said)"
rasterwave info town.gpkg | grep -q '^roofs      9 to 12 m' || fail "roofs: $(rasterwave info town.gpkg)"
rasterwave import --surface dsm.asc --terrain dtm.asc --out alone.gpkg --json >answer.json 2>errors || fail "a surface alone: $(cat errors)"
"$json_check" surface.posts surface.found surface.squared surface.foliage_m2 file version <answer.json || fail "JSON: $(cat answer.json)"
grep -q '"found": 2' answer.json || fail "both buildings: $(cat answer.json)"
if has_library png; then
    rasterwave import one.geojson --surface dsm.asc --terrain dtm.asc --out town.gpkg --picture heights.png --quiet 2>/dev/null && [ -s heights.png ] || fail "no picture"
fi

rasterwave predict --scene town.gpkg --tx 50,15,15 --area 0,0,120,100 --freq 2GHz --res 5 --layers path_loss --out map --quiet 2>errors || fail "predict: $(cat errors)"
rasterwave statistics map --level 80 --confidence 0.9 --target 50 >said 2>errors || fail "confidence: $(cat errors)"
grep -q '^confidence: ' said && grep -q 'the target of 50 %' said || fail "confidence: $(cat said)"
refuses 2 'needs --level' rasterwave statistics map --confidence 0.9
refuses 2 'of --confidence' rasterwave statistics map --level 80 --target 50
refuses 2 'between 0 and 1' rasterwave statistics map --level 80 --confidence 90

refuses 2 'needs the terrain' rasterwave import --surface dsm.asc --out no.gpkg
refuses 2 'needs the terrain' rasterwave import one.geojson --surface dsm.asc --out no.gpkg
refuses 2 'missing.tif' rasterwave import --surface missing.tif --terrain dtm.asc --out no.gpkg

# Sloped ground of posts 4 m apart and other extent, a gabled roof with its ridge 4 m above the eaves, a crown that touches it, noise, holes without a tag.
awk 'function ground(x, y) { return 300 + 0.08 * x + 0.03 * y }
BEGIN { srand(3); printf "ncols 50\nnrows 50\nxllcorner -30\nyllcorner -30\ncellsize 4\n" >"slope.asc"; printf "ncols 140\nnrows 100\nxllcorner 0\nyllcorner 0\ncellsize 1\n" >"gable.asc"
    for (row = 0; row < 50; row++) for (column = 0; column < 50; column++) print ground(-30 + 4 * column + 2, -30 + 4 * (50 - row) - 2) >"slope.asc"
    for (row = 0; row < 100; row++) for (column = 0; column < 140; column++) {
        x = column + 0.5; y = 99.5 - row; z = ground(x, y); far = sqrt((x - 84) ^ 2 + (y - 46) ^ 2)
        if (far < 4) z += 8 + 4 * rand()
        if (x > 60 && x < 80 && y > 40 && y < 52) z = ground(70, 46) + 8 + 4 * (1 - (y > 46 ? y - 46 : 46 - y) / 6)
        print (rand() < 0.01 ? -9999 : z + 0.2 * (rand() - 0.5)) >"gable.asc" } }'
rasterwave import --surface gable.asc --terrain slope.asc --out gable.gpkg >said 2>errors || fail "a gable on a slope: $(cat errors)"
awk '/^found/ { good = $2 == 1 && $7 > 200 && $7 < 280 } /^foliage/ { crown = $2 > 20 && $2 < 80 } END { exit !(good && crown) }' said || fail "a gable on a slope: $(cat said)"
rasterwave info gable.gpkg | awk '/^roofs/ { exit !($2 > 10 && $2 < 12) }' || fail "the roof of a gable: $(rasterwave info gable.gpkg)"

# The spread of a roof's heights is that of the ensemble: a rough roof is less certain than a flat one.
printf '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25832"}},"features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[40,30],[80,30],[80,70],[40,70],[40,30]]]}}]}' >block.geojson
for roof in flat rough; do
    awk -v roof=$roof 'BEGIN { srand(5); printf "ncols 120\nnrows 100\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
        for (row = 0; row < 100; row++) for (column = 0; column < 120; column++) { x = column + 0.5; y = 99.5 - row
            print 200 + (x > 40 && x < 80 && y > 30 && y < 70 ? 20 + (roof == "rough" ? 9 * (rand() - 0.5) : 0) : 0) } }' >$roof.asc
    rasterwave import block.geojson --surface $roof.asc --terrain dtm.asc --out $roof.gpkg --quiet 2>errors || fail "import $roof: $(cat errors)"
    rasterwave predict --scene $roof.gpkg --tx 20,50,12 --area 82,0,120,100 --freq 2GHz --res 4 --effects roofs --prior none --sigma ensemble --layers sigma --out $roof --quiet 2>errors || fail "sigma of $roof: $(cat errors)"
    rasterwave statistics $roof --layer sigma | awk '$1 == "all" { print $5 }' >$roof.txt
done
awk 'NR == 1 { flat = $1 } NR == 2 { exit !($1 > flat + 0.2) }' flat.txt rough.txt || fail "the spread of roofs is not in the ensemble: $(cat flat.txt rough.txt)"

# A point cloud is a raster by the program pdal: here a stub that copies, and records its options.
: >cloud.laz
mkdir stub empty
printf '#!/bin/sh\necho "$*" >>stub/calls\ncase "$*" in *"[2:2]"*) cp dtm.asc "$3" ;; *"output_type=max"*) cp dsm.asc "$3" ;; *) exit 3 ;; esac\n' >stub/pdal
chmod +x stub/pdal
program=$(command -v rasterwave)
(PATH=$PWD/stub:$PATH && rasterwave import one.geojson --surface cloud.laz --terrain cloud.laz --out cloud.gpkg) >said 2>errors || fail "point cloud: $(cat errors)"
grep -q '^found      1 building.* 1200 m2, 1 with right angles' said || fail "found in a cloud: $(cat said)"
[ "$(grep -c 'translate cloud.laz .*points.tif' stub/calls)" = 2 ] || fail "calls of pdal: $(cat stub/calls)"
printf '#!/bin/sh\nexit 1\n' >stub/pdal
(PATH=$PWD/stub:$PATH && refuses 2 'pdal cannot make a raster' rasterwave import --surface cloud.laz --terrain dtm.asc --out no.gpkg)
refuses 2 'needs the program pdal' env PATH="$PWD/empty" "$program" import --surface cloud.laz --terrain dtm.asc --out no.gpkg
if command -v pdal >/dev/null 2>&1; then
    awk 'BEGIN { print "X,Y,Z,Classification"; for (x = 0; x < 120; x += 0.5) for (y = 0; y < 100; y += 0.5) { print x "," y ",200,2"; if (x > 60 && x < 100 && y > 20 && y < 50) print x "," y ",212,6" } }' >points.csv
    pdal translate points.csv real.laz -r readers.text --writers.las.a_srs=EPSG:25832 >/dev/null 2>&1 || fail "pdal translate"
    rasterwave import --surface real.laz --terrain real.laz --out real.gpkg 2>errors | grep -q '^found      1 building' || fail "a cloud by pdal: $(cat errors)"
else
    echo "SKIPPED: a cloud by PDAL itself (no program pdal)"
fi
refuses 2 'is a generator' rasterwave import city:grid --surface dsm.asc --terrain dtm.asc --out no.gpkg
finish
