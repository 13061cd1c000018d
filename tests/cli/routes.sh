# Points and routes from CSV, GPX and GeoJSON, in metres and degrees; sites and areas in degrees; what is written in other
# coordinate systems; sites off the map, inside buildings, and left out.
. "$2/tests/support/cli.sh"
scene="--scene city:grid:size=600m,600m"
call="rasterwave paths $scene --tx 300,300,10,mast --effects streets"

# Three points a second apart at 10 m/s: the same route by its times, by a speed, and in three formats.
printf 'x,y,time\n310,300,0\n320,300,1\n330,300,2\n' >route.csv
printf 'x;y;zeit\n310,0;300;\n320,0;300;\n330,0;300;\n' >plain.csv
cat >route.geojson <<'END'
{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32632"}}, "features": [
{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [[310, 300], [320, 300], [330, 300]]}}]}
END
# shellcheck disable=SC2086
$call --points route.csv --out timed.csv --quiet 2>errors || fail "a route: $(cat errors)"
# shellcheck disable=SC2086
$call --points plain.csv --speed 10 --out speed.csv --quiet 2>errors || fail "a route at a speed: $(cat errors)"
cmp timed.csv speed.csv || fail "times and speed differ"
# shellcheck disable=SC2086
$call --crs EPSG:32632 --points route.geojson --speed 10 --out geo.csv --quiet 2>errors || fail "a line: $(cat errors)"
cmp timed.csv geo.csv || fail "CSV and GeoJSON differ"
[ "$(wc -l <timed.csv)" = 4 ] || fail "not a line for each path: $(cat timed.csv)"
# Away from the mast at 10 m/s and 947 MHz: -31.6 Hz times the cosine of a slope of 8.5 m in 10.
awk -F, 'NR == 2 { exit !($15 < -20 && $15 > -31.6 && $6 == 10) }' timed.csv || fail "Doppler: $(cat timed.csv)"
grep -q 'LINESTRING Z (300 300 10, 310 300 1.5)' timed.csv || fail "vertices: $(cat timed.csv)"

# GPX, whose degrees are brought into the scene's system; the same place as in metres.
cat >route.gpx <<'END'
<?xml version="1.0"?><gpx><trk><trkseg><trkpt lat="48.1003" lon="11.5014"><ele>515</ele><time>2024-05-01T12:00:00Z</time></trkpt>
<trkpt lat="48.1003" lon="11.5015"><time>2024-05-01T12:00:01Z</time></trkpt></trkseg></trk></gpx>
END
refuses 2 "no coordinate system" rasterwave paths $scene --tx 300,300,10 --points route.gpx
printf 'x,y,time\n1,2,soon\n' >bad.csv
refuses 2 "line 2: 'soon' is no time" rasterwave paths $scene --tx 300,300,10 --points bad.csv

# Off the map a site serves; much further off it is a mistake.
rasterwave predict $scene --tx 900,300,40 --effects roofs,walls --res 20 --layers power --out off >text 2>errors ||
    fail "a site off the map: $(cat errors)"
grep -q '1 transmitter stands off the map' errors || fail "no warning of a site off the map: $(cat errors)"
refuses 2 'off the map' rasterwave predict $scene --tx 90000,300,40 --out none

# Antennas of points: a sector that looks at the mast gains 8 dB over an isotropic antenna, half of a vertical wave is slanted, and 90 degrees take none.
cat >homes.csv <<'END'
x;y;height;antenna;azimuth;polarisation
320,0;300,0;10;;;
320,0;300,0;10;3gpp;270;
320,0;300,0;10;;;45
END
rasterwave paths $scene --tx 300,300,10 --model rt --depth 1 --reflections 0 --diffractions 0 --points homes.csv --out homes.out.csv --quiet ||
    fail "points with antennas"
awk -F, 'NR > 1 && !($1 in loss) { loss[$1] = $12 } END { exit !(loss[1] - loss[2] > 7.9 && loss[1] - loss[2] < 8.1 && loss[3] - loss[1] > 3 && loss[3] - loss[1] < 3.02) }' \
    homes.out.csv || fail "antennas of points: $(cat homes.out.csv)"
! has_library hdf5 || refuses 2 'leave rx-array out' rasterwave paths $scene --tx 300,300,10 --model rt --depth 1 --points homes.csv --rx-array 2x2 --out homes.h5
printf 'x,y,antenna\n320,300,none.msi\n' >homes.csv
refuses 2 "line 2: there is no antenna 'none.msi'" rasterwave paths $scene --tx 300,300,10 --model rt --depth 1 --points homes.csv
printf 'x,y,polarisation\n320,300,dual\n' >homes.csv
refuses 2 'one polarisation; write it twice' rasterwave paths $scene --tx 300,300,10 --model rt --depth 1 --points homes.csv

# Models of rooms take a site beside a city too, and refuse one beside a floor plan.
rasterwave predict $scene --tx 620,300,40 --model images --depth 1 --pixels 64 --res 50 --layers path_loss --out beside --quiet 2>errors || fail "images: $(cat errors)"
refuses 2 'beside a floor plan nothing is known' rasterwave predict --scene office --tx 60,5,2 --model images --out none

has_library gdal || finish
cat >houses.geojson <<'END'
{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"height": 20},
 "geometry": {"type": "Polygon", "coordinates": [[[11.5,48.1],[11.5008,48.1],[11.5008,48.1006],[11.5,48.1006],[11.5,48.1]]]}},
{"type": "Feature", "properties": {"height": 12},
 "geometry": {"type": "Polygon", "coordinates": [[[11.502,48.1],[11.5028,48.1],[11.5028,48.1006],[11.502,48.1006],[11.502,48.1]]]}}]}
END
cat >sites.csv <<'END'
name;lon;lat;height;power;channel
A;11,5014;48,1003;10;20W;1
B;11,5060;48,1003;30;20W;1
inside;11,5004;48,1003;10;20W;2
swapped;48,1;11,5;10;20W;2
nowhere;11,5;481;10;20W;2
END
rasterwave predict --scene houses.geojson --sites sites.csv --skip-bad --res 10 --layers power,ci --out sites --json >answer.json 2>errors ||
    fail "sites in degrees: $(cat errors)"
"$json_check" left_out.2 layers.1.name <answer.json || fail "what is left out: $(cat answer.json)"
tr -d '\n' <answer.json >flat.json
grep -q 'transmitter inside at .* is inside a building' flat.json || fail "no reason for a site inside a building"
grep -q 'transmitter swapped at .* latitude and longitude are swapped' flat.json || fail "swapped degrees are not named: $(cat answer.json)"
grep -q 'line 6: the site: longitude 11.5, latitude 481' flat.json || fail "no reason for a bad line"
refuses 2 'inside a building\|swapped\|not on the earth' rasterwave predict --scene houses.geojson --sites sites.csv --out none

grep -q 'furthest (swapped)' flat.json && fail "a site that is left out is told as one beside the map"
refuses 2 'point 1 at .* latitude and longitude are swapped' rasterwave paths --scene houses.geojson --points-crs lonlat --tx 11.5014,48.1003,10 --at 48.0998,11.5016

# The same point in degrees and in metres; output in degrees.
rasterwave paths --scene houses.geojson --points-crs lonlat --tx 11.5014,48.1003,10 --at 11.5016,48.0998 --json >degrees.json 2>/dev/null ||
    fail "paths in degrees"
metres=$(tr -d '\n ' <degrees.json | sed 's/.*"points":\[{"point":1,"x_m":\([0-9.]*\),"y_m":\([0-9.]*\),.*/\1 \2/')
echo "$metres" | awk '{ exit !($1 > 686000 && $1 < 686400 && $2 > 5330300 && $2 < 5330600) }' || fail "degrees to metres: $metres"
rasterwave paths --scene houses.geojson --points-crs lonlat --tx 11.5014,48.1003,10 --points route.gpx --to-crs lonlat --out way.csv --quiet \
    2>/dev/null || fail "a route in degrees"
awk -F, 'NR == 2 { exit !($2 > 11.50139 && $2 < 11.50141 && $3 > 48.10029 && $3 < 48.10031 && $6 > 7 && $6 < 8) }' way.csv ||
    fail "points in degrees: $(cat way.csv)"
rasterwave paths --scene houses.geojson --points-crs lonlat --tx 11.5014,48.1003,10 --points route.gpx --out way.gpkg --quiet 2>/dev/null ||
    fail "a GeoPackage of paths"
rasterwave predict --scene houses.geojson --points-crs lonlat --tx 11.5014,48.1003,10 --area 11.4998,48.0998,11.5030,48.1008 --res 5 \
    --layers path_loss --to-crs EPSG:4326 --out degrees 2>errors >/dev/null || fail "a map in degrees: $(cat errors)"
rasterwave info degrees/path_loss.tif --json >info.json 2>/dev/null
[ -s degrees/path_loss.tif ] || fail "no map in degrees"
refuses 2 'longitude and latitude are swapped\|latitude and longitude are swapped' rasterwave predict --scene houses.geojson --points-crs lonlat --tx 48.1003,11.5014,10 --out none
refuses 2 'points-crs' rasterwave predict --scene houses.geojson --tx 11.5014,48.1003,10 --out none
printf 'lon,lat,path_loss\n11.5016,48.1003,60\n11.5012,48.1004,65\n' >measured.csv
rasterwave evaluate --scene houses.geojson --points-crs lonlat --tx 11.5014,48.1003,10 --measurements measured.csv --json >evaluation.json 2>errors ||
    fail "measurements in degrees: $(cat errors)"
tr -d '\n ' <evaluation.json | grep -q '"samples_used":2\|"points":2' || fail "measurements in degrees: $(cat evaluation.json)"
finish
