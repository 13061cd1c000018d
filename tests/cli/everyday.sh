# Everyday use: cost before the work, provenance of results, one raster in place of a folder, files of earlier runs,
# projects with paths and sites of their own, errors as JSON, shapefiles in a folder, shapes in a table.
. "$2/tests/support/cli.sh"

city="--scene city:grid:size=300m,300m --tx 150,150,10"

# --dry-run: in every command and model, at once, and nothing is left
for model in shadow beams cubes tiles rt; do
    rasterwave predict $city --model $model --dry-run --json >dry.json || fail "dry run of $model"
    for key in seconds memory_bytes cells transmitters; do
        "$json_check" $key <dry.json || fail "$model: $key"
    done
done
for model in images sbr; do
    rasterwave predict --scene office --tx 10.5,9.3,2 --model $model --dry-run | grep -q '^memory ' || fail "dry run of $model"
done
rm dry.json
rasterwave paths $city --at 100,290 --dry-run | grep -q '^work .* 1 points' || fail "dry run of paths"
rasterwave preprocess --scene city:grid:size=300m,300m --dry-run | grep -q 'corners' || fail "dry run of a corner database"
rasterwave preprocess --scene city:grid:size=300m,300m --model tiles --dry-run --json | "$json_check" tiles ||
    fail "dry run of a tile database"
printf 'x,y,value\n100,290,100\n120,290,101\n140,290,99\n' >route.csv
rasterwave evaluate $city --measurements route.csv --dry-run | grep -q '^time ' || fail "dry run of evaluate"
rasterwave calibrate $city --measurements route.csv --dry-run | grep -q '^time ' || fail "dry run of calibrate"
[ "$(ls)" = route.csv ] || fail "a dry run left something: $(ls)"

# refusals come before the work: tables of what sees what would need gigabytes
start=$(date +%s)
refuses 2 "need .* at the least, and memory is 50 MB" rasterwave predict --scene city:european:size=2km,2km \
    --tx 1000,1000,30 --model tiles --tile-area 1 --memory 50e6
refuses 2 "need .* at the least, and memory is 50 MB.*fewer points" rasterwave paths --scene city:european:size=2km,2km \
    --tx 1000,1000,30 --at 990,1000 --model tiles --tile-area 1 --memory 50e6
[ $(($(date +%s) - start)) -le 4 ] || fail "a refusal took longer than it may"

# millions of tiles are not cut to say what they would cost
rasterwave preprocess --scene city:european:size=1.5km,1.5km --model tiles --tile-area 2 --dry-run --json >tiles.json || fail "dry run of many tiles"
"$json_check" tiles memory_bytes <tiles.json || fail "cost of many tiles: $(cat tiles.json)"

# provenance, the same in every run
rasterwave predict $city --out first --quiet || fail "a map"
rasterwave predict $city --threads 1 --out second --quiet || fail "a map again"
for file in first/*; do
    cmp -s "$file" "second/$(basename "$file")" || fail "$file is not the same bytes in another run"
done
for file in first/path_loss.*; do
    case $file in *.hdr) continue ;; esac
    rasterwave info "$file" >told || fail "info $file"
    for line in '^version  *rasterwave ' '^command  *predict' '^options  *--scene city:grid:size=300m,300m --tx' \
        '^scene  *[0-9a-f]\{16\}$'; do
        grep -q "$line" told || fail "$file: no $line"
    done
    grep -q '^time' told && fail "$file has a time"
    rasterwave info "$file" --json | "$json_check" provenance.scene || fail "$file: provenance as JSON"
done
# values at a place; no interference is the best of all, and no cell without a path
for file in first/path_loss.*; do
    case $file in *.hdr | *.png) continue ;; esac
    rasterwave info "$file" --at 155,151 | grep -q '^  path_loss: [0-9.]* dB$' || fail "$file at a place: $(rasterwave info "$file" --at 155,151)"
    rasterwave info "$file" --at 155,151 | grep -q "= path loss" || fail "no link budget of $file: $(rasterwave info "$file" --at 155,151)"
    rasterwave info "$file" --at 155,151 --quiet | grep -q "budget" && fail "a link budget with --quiet"
    refuses 2 'is off the map' rasterwave info "$file" --at 1550,151
    rasterwave info "$file" --at 155,151 --json | "$json_check" points.0.values.0.value || fail "$file at a place as JSON"
done
rasterwave predict $city --tx 60,60,40 --freq 947MHz --layers ci,interference --out ratio >said || fail "ci"
grep -q 'ci: .* to .* dB in' said || fail "ci: $(cat said)"
printf 'name,x,y,height,channel\na,150,150,10,1\nb,60,60,40,2\n' >channels.csv
rasterwave predict --scene city:grid:size=300m,300m --sites channels.csv --layers ci,interference --out alone >said || fail "channels"
grep -q 'ci: 100 to 100 dB in' said || fail "ci without interference: $(cat said)"
grep -q 'interference: no value in any cell' said || fail "no interference: $(cat said)"
rasterwave statistics alone --layer ci --level 9 --json | tr -d '\n ' | grep -q '"no_path":0,' || fail "no interference counts as no path"
rasterwave render first --time-stamp --out stamped.png --quiet || fail "render"
rasterwave info stamped.png | grep -q '^time  *20[0-9][0-9]-' || fail "--time-stamp"
if has_library hdf5; then
    rasterwave predict $city --model beams --delay-bins 5 --out delays --quiet || fail "delays"
    rasterwave info delays/delays.h5 | grep -q '^command  *predict' || fail "provenance of HDF5"
fi
if has_library gdal; then
    rasterwave predict $city --model tiles --cells nearest --tiles tiles.gpkg --out tiles --quiet || fail "tiles"
    rasterwave info tiles.gpkg 2>/dev/null | grep -q '^command  *predict' || fail "provenance of GeoPackage"
    rasterwave predict $city --layers power --out power --quiet || fail "power"
    for end in gpkg geojson kml shp; do
        rasterwave polygons power/power.tif --levels -80,-70 --out areas.$end --quiet 2>/dev/null || { [ $end = kml ] && continue; fail "areas.$end"; }
        rasterwave info areas.$end | grep -q '^command  *polygons power/power.tif' || fail "provenance of $end"
    done
    houses='{"type":"Polygon","coordinates":[[[11.5,48.1],[11.5008,48.1],[11.5008,48.1006],[11.5,48.1006],[11.5,48.1]]]}'
    echo "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"height\":9},\"geometry\":$houses}]}" >houses.geojson
    rasterwave predict --scene houses.geojson --points-crs lonlat --tx 11.5012,48.1003,10 --layers power --res 10 --out globe --quiet 2>/dev/null &&
        rasterwave polygons globe --layer power --levels -60,-50 --out globe.kmz --quiet || fail "areas for a globe"
    rasterwave info globe.kmz | grep -q '^command  *polygons globe' || fail "provenance of KMZ: $(rasterwave info globe.kmz 2>&1)"
    rasterwave generate city --style grid --size 300m,300m --out made.gpkg --quiet &&
        rasterwave info made.gpkg --json | "$json_check" provenance.command >/dev/null || fail "provenance of a scene as JSON"
fi
rasterwave paths $city --at 60,60 --out one.geojson --quiet && rasterwave info one.geojson | grep -q '^command  *paths' || fail "provenance of paths"

# one raster in place of a folder; what an earlier run left in a folder
raster=los.bin
has_library gdal && raster=los.tif
rasterwave predict $city --layers los --out $raster --quiet || fail "--out $raster"
rasterwave info $raster | grep -q '^layer  *los' || fail "$raster is no map of los"
refuses 2 "is one layer" rasterwave predict $city --layers los,walls --out two.tif
rasterwave predict $city --layers los --out first 2>said >/dev/null || fail "a second run in a folder"
grep -q 'earlier prediction.*path_loss.png.*walls' said || fail "old layers are not named: $(cat said)"

# errors as JSON
rasterwave predict $city --model nothing --json >error.json 2>/dev/null && fail "a model that is not there"
"$json_check" error <error.json || fail "no JSON for an error"

# terrain of more posts than are read round the buildings is read over the area
if has_library gdal && command -v gdal_create >/dev/null 2>&1; then
    gdal_create -q -of GTiff -ot Float32 -co COMPRESS=LZW -outsize 2600 2600 -burn 100 -a_srs EPSG:32632 \
        -a_ullr 600000 5360000 626000 5334000 large.tif || fail "gdal_create"
    printf 'id,height,WKT\n1,12,"POLYGON ((612000 5346000,612020 5346000,612020 5346010,612000 5346010,612000 5346000))"\n' >one.csv
    rasterwave predict --scene one.csv --crs EPSG:32632 --terrain large.tif --tx 612100,5346100,30 --res 1000 --layers los \
        --area 600100,5334100,625900,5359900 --out wide 2>told >/dev/null || fail "a wide area"
    grep -q 'beyond' told && fail "terrain ends before the area: $(cat told)"
fi

# polygons that limit a map from a database
if has_library gdal; then
    zone='{"type":"Polygon","coordinates":[[[50,50],[150,50],[150,150],[50,50]]]}'
    echo "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{},\"geometry\":$zone}]}" >zone.geojson
    rasterwave preprocess --scene city:grid:size=300m,300m --res 10 --out grid.rwdb --quiet || fail "a database"
    rasterwave predict $city --database grid.rwdb --area zone.geojson --layers path_loss --out limited --quiet || fail "polygons and a database"
    rasterwave predict $city --res 10 --area zone.geojson --layers path_loss --out plain --quiet || fail "polygons"
    [ "$(rasterwave info limited/path_loss.tif | grep -o 'in [0-9]* cells')" = "$(rasterwave info plain/path_loss.tif | grep -o 'in [0-9]* cells')" ] ||
        fail "polygons: $(rasterwave info limited/path_loss.tif) and $(rasterwave info plain/path_loss.tif)"
fi

# projects: paths beside the file, sites in it
if has_library cyaml; then
    mkdir -p work
    scene=city:grid:size=300m,300m
    has_library gdal && rasterwave generate city --style grid --size 300m,300m --out work/city.gpkg --quiet && scene=city.gpkg
    cat >work/plan.yaml <<END
command: predict
scene: $scene
sites: |
  name,x,y,height
  south,150,150,10
  high,60,60,40
out: map
layers: path_loss
END
    rasterwave work/plan.yaml --quiet || fail "a project in another folder"
    rasterwave info work/map/path_loss.* 2>/dev/null | head -1 | grep -q '^map' || ls work/map/path_loss.* >/dev/null || fail "work/map"
    [ ! -e map ] || fail "out is not beside the project"
    sed 's/150,150,10/150,150,ten/' work/plan.yaml >work/bad.yaml
    refuses 2 "bad.yaml, line 2" rasterwave work/bad.yaml
    cp work/map/path_loss.tif table.tif 2>/dev/null
    awk '/^sites/ {print "sites:"; next} /name,x,y/ {next}
         /^  / {split($1, c, ","); printf "  - {name: %s, x: %s, y: %s, height: %s}\n", c[1], c[2], c[3], c[4]; next} {print}' \
        work/plan.yaml >work/list.yaml
    rasterwave work/list.yaml --quiet || fail "a list of sites"
    [ ! -e table.tif ] || rasterwave compare table.tif work/map/path_loss.tif | grep -q 'largest 0 ' ||
        rasterwave compare table.tif work/map/path_loss.tif --json | grep -q '"largest[a-z_]*": 0[,}]*$' || fail "a list of sites is its table"
    sed 's/height:/hight:/' work/list.yaml >work/bad.yaml
    refuses 2 "hight" rasterwave work/bad.yaml
fi

# shapefiles in a folder, shapes in a table
if has_library gdal; then
    cat >houses.csv <<END
id,height,WKT
1,12,"POLYGON ((0 0,20 0,20 10,0 10,0 0))"
2,15,"POLYGON ((0 40,20 40,20 50,0 50,0 40))"
END
    rasterwave info houses.csv 2>/dev/null | grep -q '^buildings  2 ' || fail "shapes in a table"
    rasterwave info houses.csv 2>/dev/null | grep -q '^roofs  *12 to 15 m' || fail "heights of a table"
    if command -v ogr2ogr >/dev/null 2>&1; then
        mkdir shapes
        ogr2ogr -f "ESRI Shapefile" shapes/north.shp houses.csv -oo GEOM_POSSIBLE_NAMES=WKT -where "id='2'" -lco ENCODING=UTF-8 &&
            ogr2ogr -f "ESRI Shapefile" shapes/south.shp houses.csv -oo GEOM_POSSIBLE_NAMES=WKT -where "id='1'" &&
            { rasterwave info shapes 2>/dev/null | grep -q '^buildings  2 ' || fail "a folder of shapefiles"; }
    fi
fi
# floor plans: a drawing, lines with a column of materials, walls traced over a picture
mkdir plans plans/traced
printf '%s\n' 0 SECTION 2 HEADER 9 '$INSUNITS' 70 4 0 ENDSEC 0 SECTION 2 ENTITIES \
    0 LWPOLYLINE 8 A-WALL-BRICK 90 4 70 1 10 0 20 0 10 20000 20 0 10 20000 20 10000 10 0 20 10000 \
    0 LINE 8 A-WALL-DRYWALL 10 10000 20 0 11 10000 21 7000 \
    0 LINE 8 DIMENSIONS 10 0 20 -1000 11 20000 21 -1000 0 ENDSEC 0 EOF >plans/plan.dxf
printf '%s\n' 0 SECTION 2 HEADER 9 '$INSUNITS' 70 4 0 ENDSEC 0 SECTION 2 BLOCKS \
    0 BLOCK 2 PART 8 0 10 1000 20 0 0 LINE 8 0 10 1000 20 0 11 8000 21 0 0 ENDBLK \
    0 BLOCK 2 ROOM 8 0 10 0 20 0 0 INSERT 8 A-WALL-DRYWALL 2 part 10 0 20 0 50 90 0 ENDBLK 0 ENDSEC 0 SECTION 2 ENTITIES \
    0 LWPOLYLINE 8 A-WALL-BRICK 90 4 70 1 10 0 20 0 10 20000 20 0 10 20000 20 10000 10 0 20 10000 \
    0 INSERT 8 OTHER 2 ROOM 10 10000 20 0 0 ENDSEC 0 EOF >plans/blocks.dxf
printf '%s\n' 0 SECTION 2 HEADER 9 '$INSUNITS' 70 6 0 ENDSEC 0 SECTION 2 ENTITIES 0 CIRCLE 8 BRICK 10 5 20 5 40 5 \
    0 ARC 8 BRICK 10 20 20 5 40 5 50 270 51 0 0 LWPOLYLINE 8 BRICK 90 2 70 0 10 30 20 0 42 1 10 30 20 10 \
    0 ENDSEC 0 EOF >plans/arcs.dxf
# 32 pieces of a circle, 8 of a quarter, 16 of the half circle that a bulge of 1 is
rasterwave info plans/arcs.dxf 2>/dev/null | grep -q '56 panels' || fail "arcs: $(rasterwave info plans/arcs.dxf)"
rasterwave info plans/arcs.dxf 2>/dev/null | grep -q '^extent  *0, 0 to 35, 10 m' || fail "extent of arcs: $(rasterwave info plans/arcs.dxf | grep extent)"
printf 'x1_px,y1_px,x2_px,y2_px,material\n100,100,500,100,brick\n500,100,500,300,brick\n500,300,100,300,brick\n100,300,100,100,brick\n300,300,300,160,drywall\n' \
    >plans/traced/walls.csv
refuses 2 "plan.pgw" rasterwave info plans/traced/walls.csv
printf 'px,py,x_m,y_m\n100,300,0,0\n500,300,20,0\n' >plans/traced/points.csv
loss() { rasterwave paths --scene $1 --tx 5,5,1 --at $2 --freq 2.4GHz --effects walls --json 2>/dev/null | grep -m 1 '"loss_db"'; }
for plan in plans/plan.dxf plans/blocks.dxf plans/traced/walls.csv; do
    rasterwave info $plan 2>/dev/null | grep -q '5 panels; 2 meshes' || fail "$plan: $(rasterwave info $plan)"
    rasterwave info $plan 2>/dev/null | grep -q '^extent  *0, 0 to 20, 10 m' || fail "extent of $plan"
    [ "$(loss $plan 15,5,1)" = "$(loss plans/plan.dxf 15,5,1)" ] || fail "$plan loses other than the drawing"
done
sed 's/^7000$/10000/' plans/plan.dxf >plans/rooms.dxf
rasterwave predict --scene plans/rooms.dxf --tx 5.1,5.1,1.5 --freq 2.4GHz --res 0.5 --layers path_loss --out rooms --quiet || fail "a plan's map"
rasterwave statistics rooms --rooms plans/rooms.dxf >told || fail "statistics by room"
[ "$(grep -c '^room [12]  *400 ' told)" = 2 ] || fail "rooms: $(cat told)"

# Openings of doors: two rooms of 18 and 30 m2 and one of 48 m2 with an entrance; an opening of 2 m is none.
mkdir -p doors wide
printf 'x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m,material\n0,0,12,0,0,3,brick\n12,0,12,8,0,3,brick\n12,8,0,8,0,3,brick\n0,8,0,4.5,0,3,brick\n0,3.5,0,0,0,3,brick\n6,0,6,3,0,3,drywall\n6,4,6,8,0,3,drywall\n6,5,9,5,0,3,drywall\n10,5,12,5,0,3,drywall\n' >doors/walls.csv
sed 's/^6,0,6,3,/6,0,6,2,/' doors/walls.csv >wide/walls.csv
rasterwave predict --scene doors/walls.csv --tx 3,2,2.5 --freq 2.4GHz --res 0.25 --layers path_loss --out doors_map --quiet || fail "a plan with doors"
rasterwave statistics doors_map --rooms doors/walls.csv >told || fail "rooms with doors"
grep -q '^room 1  *768 ' told && grep -q '^room 2  *288 ' told && grep -q '^room 3  *480 ' told || fail "rooms with doors: $(cat told)"
rasterwave statistics doors_map --rooms wide/walls.csv >told || fail "rooms with a wide opening"
grep -q '^room 1  *1248 ' told || fail "a wide opening: $(cat told)"

# A basement: heights count from its floor; a transmitter on the ground floor, receivers in the basement and above.
mkdir -p basement
printf 'x1_m,y1_m,x2_m,y2_m,material,storey,z_top_m\n0,0,20,0,brick,0,\n20,0,20,10,brick,0,\n20,10,0,10,brick,0,\n0,10,0,0,brick,0,\n0,0,20,0,brick,-1,\n20,0,20,10,brick,-1,\n20,10,0,10,brick,-1,\n0,10,0,0,brick,-1,\n' >basement/walls.csv
rasterwave info basement/walls.csv 2>/dev/null | grep -q 'the ground floor is at 3 m' || fail "a basement: $(rasterwave info basement/walls.csv 2>&1)"
rasterwave predict --scene basement/walls.csv --tx 5,5,5 --freq 868MHz --model images --depth 1 --at 12,5,1.5 --at 12,5,4.5 --layers path_loss 2>/dev/null >told || fail "predict in a basement"
awk -F, '$4 == 1.5 { low = $5 } $4 == 4.5 { high = $5 } END { exit !(low > high + 5) }' told || fail "a floor of concrete takes nothing: $(cat told)"
printf '%s\n' 0 SECTION 2 ENTITIES 0 LINE 8 BRICK 10 1 20 1 11 9 21 1 0 ENDSEC 0 EOF >plans/open.dxf
rasterwave statistics rooms --rooms plans/open.dxf 2>told >/dev/null && fail "rooms of one wall"
grep -q 'no rooms that walls close off' told || fail "no rooms: $(cat told)"
rm plans/traced/points.csv
printf '0.05\n0\n0\n-0.05\n-5\n15\n' >plans/traced/plan.pgw
rasterwave info plans/traced/walls.csv 2>/dev/null | grep -q '^extent  *0, 0 to 20, 10 m' || fail "a world file"
printf '0\nSECTION\nx\ny\n' >plans/bad.dxf
refuses 2 "bad.dxf, line 3: 'x' is no group code" rasterwave info plans/bad.dxf
if has_library gdal; then
    cat >plans/plan.geojson <<END
{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"material":"brick","storey":0},"geometry":{"type":"LineString","coordinates":[[0,0],[20,0],[20,10],[0,10],[0,0]]}},
{"type":"Feature","properties":{"material":"drywall","storey":0},"geometry":{"type":"LineString","coordinates":[[10,0],[10,7]]}},
{"type":"Feature","properties":{"material":"brick","storey":1},"geometry":{"type":"LineString","coordinates":[[0,0],[20,0],[20,10],[0,10],[0,0]]}}]}
END
    rasterwave info plans/plan.geojson 2>/dev/null | grep -q '9 panels; 3 meshes' || fail "lines of two storeys"
    [ "$(loss plans/plan.geojson 15,5,1)" = "$(loss plans/plan.dxf 15,5,1)" ] || fail "lines lose other than the drawing"
    [ "$(loss plans/plan.geojson 5.1,5.1,4)" != "$(loss plans/plan.geojson 5.1,5.1,2)" ] || fail "a floor costs nothing"
fi
finish
