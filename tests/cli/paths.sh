# rasterwave paths: tables, JSON and GeoJSON tell the same path; its parts add up; points without a path are told in words;
# bad input ends with one line and status 2.
. "$2/tests/support/cli.sh"
call="rasterwave paths --scene city:grid:size=600m,600m --tx 300,300,10,mast --effects streets"

# Round one corner, inside a building, and in sight.
# shellcheck disable=SC2086
$call --at 150,290 --at 420,130,2 --at 320,300 >text 2>errors || fail "paths: $(cat errors)"
[ -s errors ] && fail "paths warns: $(cat errors)"
grep -q '^point 1 at 150, 290, 1.5 m above ground, from mast:' text || fail "no line for point 1"
grep -q '^ .* street  *[0-9.]* *[0-9.]*$' text || fail "no corner in the table: $(cat text)"
grep -A 1 '^point 2 at 420, 130, 2 m' text | grep -q 'inside a building' || fail "point 2 is inside a building"
grep -A 1 '^point 3 ' text | grep -q 'the rest at 0 places' || fail "point 3 is in sight"

# The total is free space and the losses of the table.
awk '/ dB: free space/ { if (seen && (total - sum > 0.03 || sum - total > 0.03)) bad = 1; total = $1; sum = $5; seen++ }
     / (street|roof|wall) / { sum += $NF }
     END { exit bad || seen != 2 || total - sum > 0.03 || sum - total > 0.03 }' text || fail "losses do not add up: $(cat text)"

# JSON on standard output and in a file is the same.
# shellcheck disable=SC2086
$call --at 150,290 --at 420,130,2 --json --out way.json >said 2>errors || fail "paths --json: $(cat errors)"
cmp -s said way.json || fail "--json and way.json differ"
"$json_check" version transmitters.0.name points.0.paths.0.vertices.2.interaction points.0.paths.0.vertices.1.turn_deg \
    points.0.paths.0.vertices.1.loss_db points.0.paths.0.length_m points.0.paths.0.delay_s points.0.paths.0.free_space_db \
    points.0.paths.0.loss_db points.0.paths.0.departure_theta_deg points.0.paths.0.arrival_phi_deg points.1.inside_building \
    points.1.paths <said || fail "JSON of paths"
grep -q '"point": 2, .*"inside_building": true' said || fail "point 2 is not said to be inside a building"
# shellcheck disable=SC2086
$call --at 150,290 --out way.geojson --quiet >said 2>&1 || fail "GeoJSON: $(cat said)"
[ -s said ] && fail "--quiet is not: $(cat said)"
"$json_check" type features.0.properties.loss_db features.0.properties.interactions \
    features.0.geometry.coordinates.2.2 <way.geojson || fail "GeoJSON"
grep -q '"interactions": "street"' way.geojson || fail "interactions in GeoJSON"
grep -q '"crs"' way.geojson && fail "a generated city has no coordinate system"

# A scene with a coordinate system says it.
if has_library gdal; then
    rasterwave import city:grid:size=600m,600m --crs EPSG:25832 --out grid.gpkg --quiet || fail "import"
    rasterwave paths --scene grid.gpkg --tx 300,300,10 --at 150,290 --out crs.geojson --quiet || fail "paths in a coordinate system"
    grep -q '^"crs": .*25832' crs.geojson || fail "no crs: $(head -n 3 crs.geojson | cut -c 1-200)"
    "$json_check" crs.properties.name <crs.geojson || fail "crs in GeoJSON"
fi

# Round one corner nothing gets there, round more it does; and a point that nothing reaches is no mistake.
# shellcheck disable=SC2086
$call --at 160,120 --effects streets_polynomial --order 1 >text || fail "a point that nothing reaches"
grep -q '^  no path' text || fail "no words for a point that nothing reaches: $(cat text)"
# shellcheck disable=SC2086
$call --at 160,120 --effects streets_polynomial --order 1 --json | tr -d '\n ' | grep -q '"inside_building":false,"paths":\[\]' ||
    fail "JSON of a point that nothing reaches"
# shellcheck disable=SC2086
$call --at 160,120 --effects streets_polynomial --order 4 >text || fail "order 4"
[ "$(grep -c ' street ' text)" -ge 2 ] || fail "not two corners: $(cat text)"

# Two transmitters: each point and each of them.
# shellcheck disable=SC2086
$call --tx 100,290,8,west --at 150,290 --at 320,300 >text || fail "two transmitters"
[ "$(grep -c '^point .* from west:' text)" = 2 ] || fail "not two points from west: $(cat text)"
[ "$(grep -c ' dB: free space' text)" = 4 ] || fail "not four paths: $(cat text)"

refuses 2 'needs a point' $call
refuses 2 'needs a scene' rasterwave paths --tx 1,1,1 --at 1,1
refuses 2 'needs a transmitter' rasterwave paths --scene city:grid --at 1,1
refuses 2 'X,Y' $call --at 150
refuses 2 'at' $call --at 150,nan
refuses 2 'at' $call --at 150,290,1.5,7
refuses 2 'height' $call --at 150,290,-1
refuses 2 'height' $call --at 150,290,0
refuses 2 'order' $call --at 150,290 --order 0
refuses 2 'order' $call --at 150,290 --order 21
refuses 2 'whole number' $call --at 150,290 --order two
refuses 2 'way.shp: paths are written as NAME.json, .geojson, .csv or .gpkg, channels as NAME.h5' $call --at 150,290 --out way.shp
refuses 2 'effect' $call --at 150,290 --effects fog
indoors="rasterwave paths --scene office --tx 1.5,5,2.2 --freq 2.5GHz --model images --depth 1 --pixels 128 --at 9,5.2,1.1 --quiet"
if has_library hdf5; then
    # shellcheck disable=SC2086
    $indoors --tx-array 2x4 --rx-array 3@0.7 --bandwidth 100MHz --out channel.h5 >said 2>&1 || fail "channel: $(cat said)"
    [ "$(head -c 4 channel.h5 | tail -c 3)" = HDF ] || fail "channel.h5 is no HDF5 file"
else
    refuses 2 'needs HDF5' $indoors --out channel.h5
fi
refuses 2 'channels: --out NAME.h5' $indoors --rx-array 2
refuses 2 'rx-array 4y: expected' $indoors --rx-array 4y --out bad.h5
refuses 2 'array of 100 x 100' $indoors --tx-array 100x100 --out bad.h5
refuses 2 'none.csv' $indoors --tx-array none.csv --out bad.h5
refuses 2 'no phases, which channels need; use model rt or tiles, indoors images' $call --at 150,290 --out bad.h5
[ -e bad.h5 ] && fail "bad.h5 was left behind"
mkdir taken.json
refuses 2 'taken.json' $call --at 150,290 --out taken.json
finish
