# labels: documents
# Options that the chosen model does not use, and values that would silently mean the default, are refused with one sentence.
. "$2/tests/support/cli.sh"
scene=city:european:seed=1:size=200m,200m
call="--scene $scene --tx 100,100,40"
printf 'x,y,value\n100,90,80\n90,100,85\n' >route.csv

# unused MODEL COMMAND OPTION VALUE...: model and option are named, and what the model has instead.
unused()
{
    model=$1
    command=$2
    shift 2
    refuses 2 "^rasterwave: model $model has no option ${1#--}[a-z ]*; it has .*memory" rasterwave $command --model $model "$@"
}

for model in shadow beams cubes; do
    unused $model "predict $call --out never" --depth 3
    [ $model = shadow ] || unused $model "predict $call --out never" --sum power
    unused $model "predict $call --out never" --tile-area 25
done
for model in shadow beams cubes images sbr rt; do
    refuses 2 "has no values on tiles" rasterwave predict $call --model $model --tiles t.png --out never
done
unused shadow "predict $call --out never" --reflections 2
for model in shadow cubes images sbr; do
    unused $model "predict $call --out never" --loss-max 120
    unused $model "predict $call --out never" --reuse kept
done
for model in beams cubes images sbr rt tiles; do
    unused $model "predict $call --out never" --order 1
    unused $model "predict $call --out never" --best 2
done
for model in images sbr rt tiles; do
    [ $model = tiles ] || unused $model "predict $call --out never" --method march
    unused $model "predict $call --out never" --block 8
done
unused beams "predict $call --out never" --block 8
refuses 2 "expected one of spans,scanlines,half-spaces" rasterwave predict $call --model beams --method march --out never
refuses 2 "expected one of exact,cubes,supercubes,rings" rasterwave predict $call --model cubes --method march --out never
refuses 2 "expected one of matrix,online" rasterwave predict $call --model tiles --method march --out never
refuses 2 "block" rasterwave predict $call --model cubes --method supercubes --block 0 --out never
for model in shadow beams cubes sbr rt tiles; do
    unused $model "predict $call --out never" --pixels 512
done
for model in beams cubes images sbr rt; do
    unused $model "predict $call --out never" --database a.rwdb
done
for model in images sbr rt cubes; do unused $model "predict $call --out never" --effects roofs; done
for model in sbr rt tiles; do unused $model "predict $call --out never" --params a.json; done
for model in rt tiles; do unused $model "predict $call --out never" --transmissions 1; done
for model in shadow cubes; do unused $model "predict $call --out never" --diffractions 1; done
unused images "predict $call --out never" --rays 64
unused beams "predict $call --out never" --scatterings 1
unused tiles "predict $call --out never" --plane 0,0,1:1,0,0:0,1,0
unused shadow "preprocess --scene $scene --out never.rwdb" --tile-quarter 1
unused tiles "preprocess --scene $scene --out never.rwdb" --res 10
unused tiles "preprocess --scene $scene --out never.rwdb" --area 0,0,100,100
unused shadow "paths $call --at 90,90" --tile-area 25
unused cubes "paths $call --at 90,90" --loss-max 120
unused shadow "evaluate $call --measurements route.csv" --depth 2
unused beams "calibrate $call --measurements route.csv" --order 2
refuses 2 "model shadow has no option depth; it has " rasterwave predict $call --depth 3 --out never
refuses 2 "^rasterwave: --depth is for models, and a map is compared" \
    rasterwave evaluate --map a.tif --measurements route.csv --depth 2
refuses 2 "not both" rasterwave evaluate --map a.tif --measurements route.csv --model tiles
# Options of maps are none of paths.
refuses 2 "paths has no option --cells" rasterwave paths $call --model tiles --at 90,90 --cells exact
refuses 2 "paths has no option --layers" rasterwave paths $call --at 90,90 --layers los
refuses 2 "predict has no option --update" rasterwave predict $call --model tiles --update a.rwdb --out never

# Names that options had before.
refuses 2 "^rasterwave: --combine is now --sum$" rasterwave predict $call --model rt --combine power --out never
refuses 2 "^rasterwave: --diffraction is now --diffractions$" rasterwave predict $call --model images --diffraction 1 --out never
refuses 2 "sum = 2: expected one of power,terms" rasterwave predict $call --sum 2 --out never
if has_library cyaml; then
    printf 'command: predict\nscene: %s\ntx: 100,100,40\nmodel: cubes\npixels: 512\nout: never\n' "$scene" >project.yaml
    refuses 2 "model cubes has no option pixels; it has " rasterwave project.yaml
    printf 'command: predict\nscene: %s\ntx: 100,100,40\nmodel: cubes\nreflections: 9\nout: never\n' "$scene" >project.yaml
    refuses 2 "reflections = 9 is out of range: 0 to 4" rasterwave project.yaml
    printf 'command: predict\nscene: %s\ntx: 100,100,40\nmodel: cubes\nreflections: 1\nres: 20\nmemory: 2GB\nout: yaml\n' "$scene" >project.yaml
    rasterwave project.yaml --quiet || fail "a project file with options of a model"
    rasterwave predict $call --model cubes --reflections 1 --res 20 --memory 2GB --out line --quiet || fail "the same by options"
    cmp yaml/path_loss.tif line/path_loss.tif 2>/dev/null || cmp yaml/path_loss.bin line/path_loss.bin || fail "a project file differs from options"
fi
# What a model uses is taken; what every model uses too.
rasterwave predict $call --model rt --depth 1 --reflections 1 --scatterings 0 --res 50 --rx-height 2 --freq 2GHz --sum power \
    --memory 1GB --device-memory 512MiB --out exact --quiet || fail "options of rt"

# 0 does not mean the default, and nothing is negative.
refuses 2 "^rasterwave: tile-area = 0 m2 is out of range: 0.01 to 1000000 m2" rasterwave predict $call --model tiles --tile-area 0 --out never
refuses 2 "tile-area = -5 m2 is out of range" rasterwave predict $call --model tiles --tile-area -5 --out never
refuses 2 "rays = 0 is out of range: 1 to 16384" rasterwave predict $call --model sbr --rays 0 --out never
refuses 2 "pixels = 0 is out of range: 16 to 16384" rasterwave predict $call --model images --pixels 0 --out never
for model in images sbr rt tiles; do
    refuses 2 "depth = 0 is out of range: 1 to" rasterwave predict $call --model $model --depth 0 --out never
done
for model in beams rt tiles; do
    refuses 2 "loss-max = 0 dB is out of range: 40 to" rasterwave predict $call --model $model --loss-max 0 --out never
    refuses 2 "loss-max = -10 dB is out of range" rasterwave predict $call --model $model --loss-max -10 --out never
done
for model in shadow beams cubes images sbr rt tiles; do
    refuses 2 "memory = -5 B is out of range: 1 B to 1000 TB" rasterwave predict $call --model $model --memory -5 --out never
    refuses 2 "device-memory: '8GHz' has no unit that fits here; write for example 4GB or 512MiB" \
        rasterwave predict $call --model $model --device-memory 8GHz --out never
done
refuses 2 "memory = -5 B is out of range" rasterwave preprocess --scene $scene --model tiles --memory -5 --out never.rwdb

# Help comes from the model's table, as text and as JSON.
for model in shadow beams cubes images sbr rt tiles; do
    for command in predict paths evaluate calibrate; do
        rasterwave $command --model $model --help >help.txt || fail "$command --model $model --help"
        grep -q -- '^  --rx-height m .*Height of the receivers' help.txt || fail "$command --model $model --help: $(cat help.txt)"
        awk 'length > 100 { bad = 1 } END { exit bad }' help.txt || fail "$command --model $model --help is wider than 100 columns"
        rasterwave $command --model $model --help --json >help.json || fail "$command --model $model --help --json"
        "$json_check" command model options.0.name options.0.help <help.json || fail "JSON of $command --model $model --help"
    done
done
rasterwave predict --model tiles --help | tr -s ' \n' ' ' | grep -q -- '--depth N Most interactions of a path, all kinds together. (1 to 6; default 3)' ||
    fail "depth of predict --model tiles --help"
rasterwave predict --model=shadow --help | grep -q -- '--pixels' && fail "shadow has no pixels"
rasterwave preprocess --model tiles --help | grep -q -- '--tile-quarter N' || fail "preprocess --model tiles --help"
refuses 2 "there is no model 'xyzzy'" rasterwave predict --model xyzzy --help

# Names that cannot be written are told before the work: this scene would take minutes.
large="--scene city:european:seed=1 --tx 1200,1700,60 --model tiles --cells exact --out never"
refuses 2 "tiles are written as .gpkg" timeout 60 rasterwave predict $large --tiles tiles.xyz
refuses 2 "nowhere/ is no folder" timeout 60 rasterwave predict $large --tiles nowhere/tiles.png
refuses 2 "nowhere/ is no folder" timeout 60 rasterwave predict $large --reuse nowhere/kept
has_library gdal || refuses 2 "need GDAL" timeout 60 rasterwave predict $large --tiles tiles.gpkg
refuses 2 "nowhere/ is no folder" rasterwave calibrate $call --measurements route.csv --plot nowhere/a.png
refuses 2 "nowhere/ is no folder" rasterwave paths $call --at 90,90 --plot nowhere/a.png

refuses 2 "a.jpg: pictures are written as NAME.png" rasterwave calibrate $call --measurements route.csv --plot a.jpg
refuses 2 "a.jpg: pictures are written as NAME.png" rasterwave paths $call --at 90,90 --plot a.jpg
refuses 2 "a.jpg: pictures are written as NAME.png" rasterwave bench --only los --plot a.jpg
refuses 2 "a.jpg: pictures are written as NAME.png" rasterwave render exact --out a.jpg

# The database says how large its tiles are.
tiles="rasterwave predict $call --model tiles --depth 1 --scatterings 0 --res 20 --cells nearest"
rasterwave preprocess --scene $scene --model tiles --out city.rwdb --quiet || fail "preprocess"
refuses 2 "the tiles of the database have tile-area = 100 m2, not 25; leave tile-area out" $tiles --database city.rwdb --tile-area 25 --out never

# Every file that is written is told, as text and as JSON.
$tiles --database city.rwdb --tile-area 100 --tiles tiles.png --reuse kept.rwtiles --out told >text 2>&1 || fail "predict: $(cat text)"
grep -q '^  tiles.png$' text || fail "tiles are not told: $(cat text)"
grep -q '^  kept.rwtiles$' text || fail "kept paths are not told: $(cat text)"
$tiles --tiles tiles.png --reuse kept.rwtiles --out told --json >said 2>/dev/null || fail "predict --json"
"$json_check" tiles reuse <said || fail "JSON of predict"
rasterwave paths $call --at 102,102,60 --plot arrivals.png >text || fail "paths --plot"
grep -q '^arrivals.png$' text || fail "the plot of paths is not told: $(cat text)"

# Layers that there are are listed; one band is not "1 bands".
refuses 2 "told has no layer 'xyzzy'; it has .*path_loss" rasterwave render told --layer xyzzy --out a.png
mkdir bare
refuses 2 "bare has no layers; give a folder that predict has written" rasterwave render bare --out a.png
raster=$(ls told/path_loss.tif told/path_loss.bin 2>/dev/null)
refuses 2 "has no layer 'xyzzy'; it has path_loss" rasterwave evaluate --map "$raster" --layer xyzzy --measurements route.csv
refuses 2 "has 1 band, there is no number 2" rasterwave render "$raster" --band 2 --out a.png
rasterwave info "$raster" | grep -q ' 1 band$' || fail "info: $(rasterwave info "$raster")"

# What to do is said too.
refuses 2 "height above 0 and below 100 km" rasterwave predict --scene $scene --tx 100,100,1e30 --out never
refuses 2 "choose another model, indoors images" rasterwave paths --scene office --tx 1.5,5,2.2 --model sbr --at 9,5.2,1.1
: >empty.gpkg
refuses 2 "empty.gpkg is empty; make it again or give another file" rasterwave info empty.gpkg
rasterwave preprocess --help | grep -q -- '--model NAME *shadow, tiles (shadow)' || fail "models of preprocess --help"

# A warning is said once, however many materials and transmitters say it.
rasterwave predict $call --tx 60,60,40 --model rt --depth 1 --scatterings 0 --res 50 --freq 500GHz --out warned >/dev/null 2>errors ||
    fail "predict at 500 GHz: $(cat errors)"
[ -s errors ] || fail "no warning at 500 GHz"
sort errors | uniq -d | grep -q . && fail "said twice: $(sort errors | uniq -d)"
finish
