# predict --at and --points: the values of a map's cells, columns that are kept, bad calls.
. "$2/tests/support/cli.sh"
scene="--scene city:european:size=300m,300m:seed=1 --tx 150,145,30 --freq 2GHz --layers path_loss,mechanism"

# The centre of a cell has the cell's value.
rasterwave predict $scene --res 5 --out map --quiet || fail "the map"
rasterwave predict $scene --res 5 --at 52.5,207.5 --at 82.5,92.5 --at 252.5,42.5 >table.csv || fail "the points"
[ "$(head -n 1 table.csv)" = id,x,y,height,path_loss,mechanism ] || fail "columns: $(head -n 1 table.csv)"
[ "$(wc -l <table.csv)" = 4 ] || fail "lines: $(cat table.csv)"
rasterwave predict $scene --res 5 --at 52.5,207.5 --json >one.json || fail "JSON"
awk -F, 'NR == 2 { print $5 }' table.csv >first.txt
tr -d ' \n' <one.json | sed 's/.*"path_loss":\([0-9.]*\).*/\1/' >second.txt
awk 'NR == FNR { a = $1; next } { exit !(a > 50 && (a - $1) ^ 2 < 1e-6) }' first.txt second.txt || fail "table $(cat first.txt), JSON $(cat second.txt)"

# The caller's columns come first, in its own separator.
printf '# stops\nid;x;y;comment\nA;52.5;207.5;door\nB;82.5;92.5;"a square"\n' >stops.csv
rasterwave predict $scene --points stops.csv --out levels.csv || fail "a table"
[ "$(head -n 1 levels.csv)" = 'id;x;y;comment;path_loss;mechanism' ] || fail "columns: $(head -n 1 levels.csv)"
grep -q '^B;82.5;92.5;"a square";[0-9]' levels.csv || fail "columns: $(cat levels.csv)"
awk -F';' 'NR == 2 { print $5 }' levels.csv >third.txt
awk 'NR == FNR { a = $1; next } { exit !((a - $1) ^ 2 < 1e-6) }' first.txt third.txt || fail "table $(cat first.txt), file $(cat third.txt)"

# Several transmitters: a column for each, one of what is of all.
rasterwave predict $scene --tx 60,60,30,west --layers path_loss,best --at 82.5,92.5 >two.csv || fail "two transmitters"
head -n 1 two.csv | grep -q '^id,x,y,height,path_loss [^,]*,path_loss west,best$' || fail "columns: $(head -n 1 two.csv)"

# Inside a building: a point has what maps of 5 m and 1 m have, and the budget of paths and info names the entry.
inside="--scene city:european:size=300m,300m:seed=1 --tx 150,145,30 --freq 2GHz --indoor slab --quiet"
rasterwave predict $inside --layers path_loss,indoor --res 5 --at 92.5,52.5 --at 192.5,232.5 --at 82.5,92.5 --out inside.csv || fail "points inside"
awk -F, 'NR > 1 && $5 > 0 && $6 > 5 { n++ } END { exit n < 1 }' inside.csv || fail "no point is inside: $(cat inside.csv)"
has_library gdal && extension=tif || extension=bin
for res in 5 1; do
    rasterwave predict $inside --area 0,0,300,300 --layers path_loss --res $res --out inside$res || fail "a map of $res m"
    tail -n +2 inside.csv | while IFS=, read -r id x y height loss entry; do
        rasterwave info inside$res/path_loss.$extension --at $x,$y --json >cell.json || fail "info"
        tr -d ' \n' <cell.json | sed 's/.*"path_loss_db":\([0-9.]*\).*/\1/' >cell.txt
        awk -v loss=$loss '{ exit !(($1 - loss) ^ 2 < 1e-4) }' cell.txt || fail "$x,$y: point $loss, map of $res m $(cat cell.txt)"
    done
done
rasterwave paths ${inside% --quiet} --at 92.5,52.5 --json >budget.json || fail "a budget inside"
grep -q '"entry"' budget.json || fail "no entry: $(cat budget.json)"

# As a GeoPackage, as GeoJSON, and as a plot along the points.
if has_library gdal; then
    rasterwave predict $scene --tx 60,60,30,west --points stops.csv --out levels.gpkg --quiet || fail "a GeoPackage"
    rasterwave predict $scene --points stops.csv --out levels.geojson --quiet || fail "GeoJSON"
    grep -q '"path_loss": *'"$(cut -c 1-6 third.txt)" levels.geojson || fail "values: $(cat levels.geojson)"
    [ "$(grep -c '"Point"' levels.geojson)" = 2 ] || fail "features: $(cat levels.geojson)"
fi
if has_library png; then
    rasterwave predict $scene --points stops.csv --plot route.png --quiet || fail "a plot"
    [ -s route.png ] || fail "no plot"
    refuses 2 "of points" rasterwave predict $scene --plot route.png --out map2
fi

refuses 2 "of maps" rasterwave predict $scene --at 50,50 --report r.html
refuses 2 "cannot both" rasterwave predict $scene --at 50,50 --points stops.csv
refuses 2 "NAME.csv, NAME.json" rasterwave predict $scene --at 50,50 --out folder
refuses 2 "nothing.csv" rasterwave predict $scene --points nothing.csv
refuses 2 "point 1" rasterwave predict $scene --at 1e8,50
finish
