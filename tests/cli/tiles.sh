# labels: slow, documents
# rasterwave preprocess --model tiles: estimate, file, info, going on after a kill, update, refusals.
. "$2/tests/support/cli.sh"
scene=city:european:seed=1:size=300m,300m

rasterwave preprocess --scene $scene --model tiles --out city.rwdb >text 2>errors || fail "preprocess: $(cat errors)"
[ -s errors ] && fail "preprocess warns: $(cat errors)"
grep -q '^estimate   [0-9]* tiles, .* pairs: about .* s, a file of .* MB' text || fail "no estimate in: $(cat text)"
grep -q '^database   city.rwdb, .* MB, of model tiles' text || fail "no database in: $(cat text)"
grep -q '^tiles      [0-9]* of about 100 m2; each sees [0-9.]* others' text || fail "no tiles in: $(cat text)"
[ -e city.rwdb.unfinished ] && fail "the unfinished file stays"
rasterwave preprocess --scene $scene --model tiles --out again.rwdb --json >said || fail "preprocess --json"
"$json_check" kind file model tiles tile_area_m2 entries bytes seconds version <said || fail "JSON of preprocess"
cmp -s city.rwdb again.rwdb || fail "two runs, two databases"
rasterwave preprocess --scene $scene --model tiles --memory 10kB --threads 1 --out bands.rwdb --quiet >said 2>&1 || fail "in bands"
[ -s said ] && fail "--quiet is not: $(cat said)"
cmp -s city.rwdb bands.rwdb || fail "bands or threads change the database"
rasterwave preprocess --scene $scene --model tiles --tile-area 400 --tile-quarter 1 --out large.rwdb >text || fail "--tile-area"
grep -q 'of about 400 m2' text || fail "tiles of 400 m2: $(cat text)"
rasterwave info city.rwdb >text || fail "info"
grep -q 'of model tiles' text || fail "info says: $(cat text)"
rasterwave info city.rwdb --json >said || fail "info --json"
"$json_check" kind tiles entries bytes <said || fail "JSON of info"

# The matrix, from both commands; least sizes; rays; pictures of tiles from other sides.
tiles="rasterwave predict --model tiles --scene $scene --tx 150,150,30 --freq 2GHz --depth 1 --res 20"
if has_library hdf5; then
    rasterwave preprocess --scene $scene --model tiles --out csr.rwdb --csr one.h5 --quiet || fail "--csr"
    rasterwave info csr.rwdb --scene $scene --csr two.h5 --quiet || fail "info --csr"
    [ -s one.h5 ] && [ -s two.h5 ] || fail "no matrix"
    $tiles --tiles rays.h5 --out rays >text || fail "--tiles rays.h5"
    grep -q '^  rays.h5' text && [ -s rays.h5 ] || fail "no rays: $(cat text)"
    refuses 2 'those of --model tiles' rasterwave predict --scene $scene --tx 150,150,30 --tiles rays.h5 --out never
fi
refuses 2 'needs the scene' rasterwave info city.rwdb --csr never.h5
refuses 2 '\-\-model tiles' rasterwave preprocess --scene $scene --csr never.h5 --out never.rwdb
refuses 2 'tile-least-side = 0.5 m, not 2; leave' $tiles --database city.rwdb --tile-least-side 2 --out never
refuses 2 'tile-least-area = 0 m2 is out of range' $tiles --tile-least-area 0 --out never
$tiles --tile-shape triangle --tile-area 50 --tiles triangles.ply --out triangles --quiet || fail "--tile-shape"
rasterwave render triangles.ply --view top --out triangles.png --quiet || fail "render of triangles"
refuses 2 'expected one of rectangle,triangle' $tiles --tile-shape hexagon --out never
refuses 2 'have tile-shape = rectangle; leave' $tiles --database city.rwdb --tile-shape triangle --out never
$tiles --tile-least-side 5m --tile-least-area 50 --tile-quarter 1 --tiles tiles.ply --out least --quiet || fail "least sizes"
rasterwave render tiles.ply --out side.png --quiet && rasterwave render tiles.ply --view top --out top.png --quiet &&
    rasterwave render tiles.ply --view 45,20 --crop 50,50,150,150 --layer paths --range 0,9 --width 400 --out crop.png --quiet ||
    fail "render of tiles"
cmp -s side.png top.png && fail "one picture from the side and from above"
refuses 2 '5 to 90' rasterwave render tiles.ply --view 45,2 --out never.png
refuses 2 'expected top, or' rasterwave render tiles.ply --view 45 --out never.png
refuses 2 'no tile lies in' rasterwave render tiles.ply --crop 5000,5000,6000,6000 --out never.png
refuses 2 'expected west' rasterwave render tiles.ply --crop 5,6 --out never.png
refuses 2 'of values on tiles' rasterwave render least --view top --out never.png
printf 'ply\nformat ascii 1.0\nend_header\n' >mesh.ply
refuses 2 'has no values on tiles' rasterwave render mesh.ply --out never.png

# A killed run is resumed and ends with the same bytes.
large=city:european:seed=1:size=1500m,1500m
rasterwave preprocess --scene $large --model tiles --memory 10kB --out killed.rwdb --quiet >/dev/null 2>&1 &
sleep 2
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
[ -e killed.rwdb ] || [ -e killed.rwdb.unfinished ] || fail "nothing is left of a killed run"
if [ -e killed.rwdb.unfinished ]; then refuses 2 'is not finished' rasterwave info killed.rwdb.unfinished; fi
rasterwave preprocess --scene $large --model tiles --out killed.rwdb --quiet || fail "going on"
rasterwave preprocess --scene $large --model tiles --out whole.rwdb --quiet || fail "in one go"
cmp -s killed.rwdb whole.rwdb || fail "a run that went on made another database"

# An update with nothing changed is the same; what does not belong is refused.
rasterwave preprocess --scene $scene --model tiles --update city.rwdb --out updated.rwdb --quiet || fail "--update"
cmp -s city.rwdb updated.rwdb || fail "an update changed what had not changed"
refuses 2 'another terrain' rasterwave preprocess --scene terrain:size=300m,300m --model tiles --update city.rwdb --out never.rwdb
refuses 2 'holds no tile database' rasterwave preprocess --scene $scene --model tiles --update said --out never.rwdb
refuses 2 'missing.rwdb' rasterwave preprocess --scene $scene --model tiles --update missing.rwdb --out never.rwdb
refuses 2 'tile-area = 0 m2 is out of range' rasterwave preprocess --scene $scene --model tiles --tile-area 0 --out never.rwdb
refuses 2 'tile-quarter = 9 is out of range: 0 to 6' rasterwave preprocess --scene $scene --model tiles --tile-quarter 9 --out never.rwdb
refuses 2 'nowhere' rasterwave preprocess --scene $scene --model tiles --out nowhere/a.rwdb
head -c 2000 city.rwdb >cut.rwdb
refuses 2 'cut.rwdb' rasterwave info cut.rwdb
refuses 2 'model tiles' rasterwave predict --scene $scene --tx 150,150,40 --database city.rwdb --out never
[ -e never.rwdb ] || [ -e never.rwdb.unfinished ] && fail "a refused run leaves a file"
finish
