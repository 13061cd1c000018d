# Inputs that would change nothing or mean something else are rejected by name; what the run rejects --dry-run rejects too.
. "$2/tests/support/cli.sh"
scene=city:european:size=200m,200m:seed=1
call="rasterwave predict --scene $scene --freq 2GHz --res 10 --backend cpu"

# A closing tag at depth 0 wrote out of bounds.
printf '</><a><b>' >w.gpx
refuses 2 '</> closes nothing' rasterwave paths --scene $scene --tx 100,100,60 --points w.gpx

# Names that nothing has.
printf 'name,a,b,c,d\nitu_concret,5,0,0.1,0.5\n' >materials.csv
refuses 2 "did you mean 'itu_concrete'" $call --tx 100,100,60 --materials materials.csv --out never

# Sites: angles, two positions, effects that are none.
printf 'name,x,y,height,azimuth\na,100,100,60,720\n' >turned.csv
refuses 2 'azimuth is not between' $call --sites turned.csv --out never
printf 'name,x,y,height,tilt\na,100,100,60,95\n' >tilted.csv
refuses 2 'tilt is not between' $call --sites tilted.csv --out never
printf 'name,x,y,height,azimuth,freq\na,100,100,60,-90,900e6\n' >own.csv
$call --sites own.csv --layers path_loss --out own >/dev/null 2>warned || fail "predict with sites: $(cat warned)"
grep -q -- '--freq has no effect' warned || fail "no warning about --freq: $(cat warned)"
grep -q 'azimuth or a tilt and an isotropic antenna' warned || fail "no warning about the azimuth: $(cat warned)"

# --dry-run rejects what the run rejects.
tx=$(rasterwave info $scene --json >/dev/null && echo 100,100)
for at in 20,20 40,40 60,60 80,80 100,100 120,120 140,140; do
    $call --tx $at,2 --layers path_loss --out probe >/dev/null 2>said && continue
    refuses 2 'inside' $call --tx $at,2 --dry-run
    inside=$at
    break
done
[ -n "${inside:-}" ] || fail "no point inside a building was tried (${tx})"

# One folder, two runs: the layer of the first is not one of the second.
$call --tx 100,100,60 --layers path_loss,power --out twice --quiet || fail "predict"
$call --tx 100,100,60 --layers path_loss --out twice --quiet 2>/dev/null || fail "predict again"
refuses 2 'is of an earlier run' rasterwave statistics twice --layer power
rasterwave statistics twice --layer path_loss >/dev/null || fail "statistics of the last run"

if has_library gdal; then
    # Zones, weights and foliage elsewhere.
    cat >zones.geojson <<'JSON'
{"type":"FeatureCollection","crs":null,"features":[{"type":"Feature","properties":{"name":"far"},"geometry":{"type":"Polygon","coordinates":[[[9000,9000],[9100,9000],[9100,9100],[9000,9000]]]}}]}
JSON
    refuses 2 'none of 1 zones overlaps the map' rasterwave statistics twice --zones zones.geojson
    printf 'ncols 2\nnrows 2\nxllcorner 90000\nyllcorner 0\ncellsize 100\n1 1\n1 1\n' >far.asc
    refuses 2 'far.asc' rasterwave statistics twice --weights far.asc
    refuses 2 'lies elsewhere' $call --tx 100,100,60 --foliage far.asc --out never

    # Posts of -32768 without a tag are holes, not pits.
    {
        printf 'ncols 30\nnrows 30\nxllcorner -50\nyllcorner -50\ncellsize 10\n'
        awk 'BEGIN { for (i = 0; i < 900; i++) printf "%d%s", i == 450 ? -32768 : 100, i % 30 == 29 ? "\n" : " " }'
    } >dem.asc
    $call --tx 100,100,60 --terrain dem.asc --layers path_loss --out pits >/dev/null 2>warned || fail "predict with a DEM: $(cat warned)"
    grep -q '1 posts below -500 m' warned || fail "no warning about the hole: $(cat warned)"
    rasterwave info $scene --terrain dem.asc | grep -q '100 to 100 m' || fail "a pit: $(rasterwave info $scene --terrain dem.asc)"

    # Layers of a GeoPackage, storeys, degrees without a name.
    cat >gebaeude.csv <<'CSV'
WKT,storeys_n,building_l
"POLYGON ((0 0,20 0,20 20,0 20,0 0))",3,3
"POLYGON ((40 0,60 0,60 20,40 20,40 0))",5,5
CSV
    cat >landuse.csv <<'CSV'
WKT,kind
"POLYGON ((-50 -50,150 -50,150 150,-50 150,-50 -50))",1
CSV
    ogr2ogr -q -f GPKG town.gpkg gebaeude.csv -nln gebaeude -nlt POLYGON -a_srs EPSG:32632 -oo GEOM_POSSIBLE_NAMES=WKT -oo AUTODETECT_TYPE=YES 2>/dev/null &&
        ogr2ogr -q -update -f GPKG town.gpkg landuse.csv -nln landuse -nlt POLYGON -a_srs EPSG:32632 -oo GEOM_POSSIBLE_NAMES=WKT 2>/dev/null || fail "ogr2ogr"
    rasterwave info town.gpkg --json >town.json || fail "info town.gpkg"
    grep -q '"buildings": 2,' town.json || fail "land use became buildings: $(cat town.json)"
    grep -q '"roof_max_m": 15,' town.json || fail "storeys are not used: $(cat town.json)"
    rasterwave info town.gpkg:landuse --json | grep -q '"buildings": 1,' || fail "FILE:LAYER"
    refuses 2 "has no layer 'roads'" rasterwave info town.gpkg:roads
    refuses 2 'give it as --storeys-field building_l' rasterwave info town.gpkg --height-field building_l
    rasterwave info town.gpkg --storeys-field storeys_n --json | grep -q '"roof_max_m": 15,' || fail "--storeys-field"
    ogr2ogr -q -f GPKG plain.gpkg town.gpkg landuse -nln areas 2>/dev/null && ogr2ogr -q -update -f GPKG plain.gpkg town.gpkg gebaeude -nln shapes 2>/dev/null || fail "ogr2ogr"
    refuses 2 'none is named after buildings' rasterwave info plain.gpkg
    # Several layers named after buildings, names in other alphabets and cases, storeys that are no counts, degrees far apart.
    ogr2ogr -q -f GPKG sites.gpkg town.gpkg landuse -nln 'Building sites' 2>/dev/null && ogr2ogr -q -update -f GPKG sites.gpkg town.gpkg gebaeude -nln 'GEBÄUDE' 2>/dev/null || fail "ogr2ogr"
    rasterwave info sites.gpkg --json | grep -q '"buildings": 2,' || fail "building sites became buildings: $(rasterwave info sites.gpkg 2>&1)"
    ogr2ogr -q -update -f GPKG sites.gpkg town.gpkg gebaeude -nln 'Bâtiments' 2>/dev/null || fail "ogr2ogr"
    refuses 2 'several are named after buildings' rasterwave info sites.gpkg
    printf 'WKT,Anzahl_Geschosse\n"POLYGON ((0 0,20 0,20 20,0 20,0 0))",4\n"POLYGON ((40 0,60 0,60 20,40 20,40 0))",%s\n' 7 >counts.csv
    rasterwave info counts.csv --json | grep -q '"roof_max_m": 21,' || fail "Anzahl_Geschosse: $(rasterwave info counts.csv 2>&1)"
    refuses 2 'give it as --storeys-field Anzahl_Geschosse' rasterwave info counts.csv --height-field Anzahl_Geschosse
    sed 's/,7$/,317.5/' counts.csv >shares.csv
    rasterwave info shares.csv --json 2>/dev/null | grep -q '"roof_max_m": 10,' || fail "Geschosse that are no counts"
    printf 'WKT,height\n"POLYGON ((8 50,8.001 50,8.001 50.001,8 50))",10\n"POLYGON ((11 53,11.001 53,11.001 53.001,11 53))",10\n' >apart.csv
    refuses 2 'look like degrees' rasterwave info apart.csv
    printf 'WKT,height\n"POLYGON ((11.5 48.1,11.501 48.1,11.501 48.101,11.5 48.1))",10\n' >degrees.csv
    ogr2ogr -q -f 'ESRI Shapefile' degrees.shp degrees.csv -oo GEOM_POSSIBLE_NAMES=WKT -nlt POLYGON 2>/dev/null || fail "ogr2ogr"
    rm -f degrees.prj
    refuses 2 'look like degrees' rasterwave info degrees.shp
    rasterwave info degrees.shp --crs EPSG:4326 >/dev/null || fail "--crs of a shapefile in degrees"

    # Sites with x, y and longitude, latitude: both must be the same point.
    echo '30 10' | gdaltransform -s_srs EPSG:32632 -t_srs EPSG:4326 -output_xy >lonlat.txt || fail "gdaltransform"
    read -r lon lat <lonlat.txt
    printf 'name,x,y,lon,lat,height\na,30,10,%s,%s,12\n' "$lon" "$lat" >both.csv
    rasterwave predict --scene town.gpkg --sites both.csv --freq 2GHz --res 10 --layers path_loss --out both --quiet 2>both.txt || fail "x, y and lon, lat: $(cat both.txt)"
    sed 's/,30,10,/,34,10,/' both.csv >apart.csv
    refuses 2 'line 2: x, y and longitude, latitude are 4.* m apart' rasterwave predict --scene town.gpkg --sites apart.csv --freq 2GHz --res 10 --out apart
fi
finish
