# rasterwave preprocess and predictions with its database: the same maps, its own cells where none are asked for, refusals where
# it does not belong; coverage; bad input ends with one line and status 2.
. "$2/tests/support/cli.sh"
scene=city:european:seed=1:size=400m,400m
predict="rasterwave predict --scene $scene --tx 200,200,12"

rasterwave preprocess --scene $scene --res 8 --rx-height 2 --out city.rwdb >text 2>errors || fail "preprocess: $(cat errors)"
[ -s errors ] && fail "preprocess warns: $(cat errors)"
grep -q '^receivers  50 x 50 cells of 8 m .* 2 m above ground' text || fail "no receivers in: $(cat text)"
grep -q '^corners    [1-9]' text || fail "no corners in: $(cat text)"
grep -q '^seconds    ' text || fail "no seconds in: $(cat text)"
rasterwave preprocess --scene $scene --res 8 --rx-height 2 --out again.rwdb --json >said || fail "preprocess --json"
"$json_check" kind file model columns rows corners links entries bytes seconds version <said || fail "JSON of preprocess"
cmp -s city.rwdb again.rwdb || fail "two runs, two databases"
rasterwave preprocess --scene $scene --res 8 --rx-height 2 --out again.rwdb --quiet >said 2>&1 || fail "preprocess --quiet"
[ -s said ] && fail "--quiet is not: $(cat said)"

rasterwave info city.rwdb >text || fail "info"
grep -q '^database   city.rwdb, .* MB, of model shadow' text || fail "info says: $(cat text)"
rasterwave info city.rwdb --json >said || fail "info --json"
"$json_check" kind columns rows res_m rx_height_m corners links entries bytes <said || fail "JSON of info"

# The plain call takes the database's cells; a map with it is a map without it.
$predict --database city.rwdb --layers path_loss,mechanism --out with --quiet || fail "predict --database"
$predict --res 8 --rx-height 2 --layers path_loss,mechanism --out without --quiet || fail "predict"
for layer in path_loss mechanism; do
    rasterwave compare with without --layer $layer --json | tr -d ' \n' >said || fail "compare $layer"
    grep -qE '"only_first":0,"only_second":0,("mean":0,"rms":0,"max":0,|"different":0,)' said || fail "$layer differs with the database: $(cat said)"
done
$predict --database city.rwdb --res 8 --rx-height 2 --order 3 --best 2 --layers path_loss --out given --quiet || fail "cells as they are"

# A database of part of the scene.
rasterwave preprocess --scene $scene --area 100,120,300,280 --res 10 --out part.rwdb --json >said || fail "preprocess --area"
$predict --database part.rwdb --layers los --out part --json >said || fail "predict with a part"
tr -d '\n ' <said | grep -q '"columns":20,"rows":16,' || fail "other cells than those of the part"

# Project files know the options.
if has_library cyaml; then
    printf 'command: predict\nscene: %s\ntx: 200,200,12\ndatabase: city.rwdb\norder: 1\nbest: 2\nlevel: -90dBm\nout: project\njson: true\n' \
        "$scene" >project.yaml
    rasterwave project.yaml >said || fail "project file"
    "$json_check" coverage.all.area_percent <said || fail "coverage of a project file"
fi

refuses 2 'the database is of other receivers: write res 8, rx-height 2' $predict --database city.rwdb --res 5 --out never
refuses 2 'the database is of other receivers' $predict --database city.rwdb --rx-height 3 --out never
refuses 2 'the database is of other receivers' $predict --database city.rwdb --area 100,100,300,300 --out never
refuses 2 'another scene' rasterwave predict --scene city:european:seed=2:size=400m,400m --tx 200,200,12 --database city.rwdb --out never
refuses 2 'missing.rwdb' $predict --database missing.rwdb --out never
head -c 2000 city.rwdb >cut.rwdb
refuses 2 'cut.rwdb' $predict --database cut.rwdb --out never
refuses 2 'cut.rwdb' rasterwave info cut.rwdb
echo hello >text.rwdb
refuses 2 'text.rwdb' $predict --database text.rwdb --out never

refuses 2 'needs a scene' rasterwave preprocess --out a.rwdb
refuses 2 'needs a file' rasterwave preprocess --scene $scene
refuses 2 'model' rasterwave preprocess --scene $scene --model fog --out a.rwdb
refuses 2 'res = 0 m is out of range' rasterwave preprocess --scene $scene --res 0 --out a.rwdb
refuses 2 'rx-height = -1 m is out of range' rasterwave preprocess --scene $scene --rx-height -1 --out a.rwdb
refuses 2 'area' rasterwave preprocess --scene $scene --area 5,5,5,5 --out a.rwdb
refuses 2 'a.rwdb' rasterwave preprocess --scene $scene --res 20 --out nowhere/a.rwdb
refuses 2 'no street corners' rasterwave preprocess --scene terrain:size=500m,500m --out a.rwdb
refuses 2 'order' $predict --order 0 --out never
refuses 2 'order' $predict --order 21 --out never
refuses 2 'best' $predict --best 0 --out never
refuses 2 'best' $predict --best 1000 --out never
refuses 2 'whole number' $predict --best some --out never

# A run that is killed leaves no database behind that anybody would take for one.
rasterwave preprocess --scene city:european:seed=1 --res 2 --out killed.rwdb >/dev/null 2>&1 &
sleep 1
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
if [ -e killed.rwdb ]; then rasterwave info killed.rwdb >/dev/null || fail "half a database"; fi

# Coverage: power is computed, by each transmitter and by all, which is never less; one level covers everything that has a path.
$predict --tx 60,350,12,north --res 8 --level -90dBm --out cover --json >said || fail "predict --level"
"$json_check" coverage.level_dbm coverage.street_cells coverage.all.street_percent coverage.transmitters.1.name \
    coverage.transmitters.1.area_percent <said || fail "JSON of coverage"
percents() { sed -n 's/.*"street_percent": \([0-9.]*\).*/\1/p' said; }
percents | awk 'NR == 1 { all = $1 } NR > 1 { if ($1 > all || $1 <= 0) bad = 1; sum += $1 }
    END { exit bad || NR != 3 || all > 100 || all > sum }' || fail "coverage: $(percents | tr '\n' ' ')"
[ -e cover/best.png ] || fail "no best server beside the coverage"
$predict --res 8 --level -90 --layers los --out cover2 >text || fail "predict --level --layers"
grep -q '^power of -90 dBm or more by tx1: .* % of the area, .* % of the streets' text || fail "coverage as text: $(cat text)"
$predict --res 8 --level -999 --layers power --effects walls --out cover3 >text || fail "predict --level -999"
grep -q '100.00 % of the streets' text || fail "not all of the streets: $(cat text)"
refuses 2 'level' $predict --level five --out never
refuses 2 'level' $predict --level nan --out never
refuses 2 'level' $predict --level 5m --out never
finish
