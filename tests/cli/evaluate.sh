# rasterwave evaluate: measurements made from a predicted map with a known offset give that offset back; what is left out is
# counted; bad input ends with one line and status 2.
# Usage: evaluate.sh PROGRAM SOURCE_DIR
. "$2/tests/support/cli.sh"
folder=$scratch

# gives TEXT ARGUMENTS...: succeeds, JSON that has the text and no NaN
gives() {
    expected=$1
    shift
    rasterwave evaluate "$@" --json >"$folder/said" 2>"$folder/err" || fail "evaluate $*: status $?: $(cat "$folder/err")"
    grep -qE ': *-?(nan|inf)' "$folder/said" && fail "evaluate $*: NaN or infinity in JSON"
    grep -qF -- "$expected" "$folder/said" || fail "evaluate $*: no $expected in $(cat "$folder/said")"
}

cd "$folder" || exit 1
rasterwave predict --scene city:european:size=600m,600m --tx 300,300,40 --layers path_loss,los --out out/city --quiet ||
    fail "predict"

# The values as ENVI floats, from a GeoTIFF by GDAL's own tool.
map=out/city/path_loss.bin
if [ -f out/city/path_loss.tif ]; then
    map=out/city/path_loss.tif
    command -v gdal_translate >/dev/null || { echo "SKIPPED: evaluate (no gdal_translate)"; exit 77; }
    gdal_translate -q -of ENVI "$map" raw.bin && [ -f raw.hdr ] || fail "gdal_translate"
else
    cp out/city/path_loss.bin raw.bin
    cp out/city/path_loss.hdr raw.hdr
fi
field() {
    sed -n "s/^$1 *= *{*//p" raw.hdr | tr -d '}\r' | head -n 1
}
columns=$(field samples)
corner=$(field "map info" | awk -F, '{ print $4 "," $5 "," $6 }')

# Every 7th cell that has a loss, measured OFFSET dB higher, with LINES before
measure() {
    od -An -v -t f4 -w4 raw.bin | awk -v columns="$columns" -v corner="$corner" -v offset="$1" -v lines="$2" '
        BEGIN { split(corner, at, ","); printf "%s", lines }
        NR % 7 == 0 && $1 !~ /nan/ {
            cell = NR - 1; row = int(cell / columns)
            printf "%.3f,%.3f,1.5,%.6f\n", at[1] + (cell - row * columns + 0.5) * at[3], at[2] - (row + 0.5) * at[3], $1 + offset
        }'
}
inside=$(od -An -v -t f4 -w4 raw.bin | awk -v columns="$columns" -v corner="$corner" '
    BEGIN { split(corner, at, ",") }
    $1 ~ /nan/ { cell = NR - 1; row = int(cell / columns)
        print at[1] + (cell - row * columns + 0.5) * at[3] "," at[2] - (row + 0.5) * at[3]; exit }')

measure 3.5 "" >plain.csv
measure -2 "x,y,z,path_loss
$inside,1.5,100
-50,-50,1.5,100
20,20,1.5,nan
20,20,1.5,none
" >header.csv
count=$(wc -l <plain.csv)
[ "$count" -gt 100 ] || fail "only $count measurements"

# number KEY: of the prediction in the JSON object
number() {
    sed -n '/"prediction"/,/}/s/.*"'"$1"'": \([-0-9.e+]*\).*/\1/p' "$folder/said"
}
near() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a - b < 1e-4 && b - a < 1e-4) }' || fail "$3: $1 instead of $2"
}

gives "\"points\": $count," --map $map --measurements plain.csv
near "$(number mean_error_db)" 3.5 "mean error"
near "$(number rmse_db)" 3.5 "RMSE"
near "$(number std_dev_db)" 0 "standard deviation"
near "$(number median_error_db)" 3.5 "median error"
near "$(number correlation)" 1 "correlation"

gives '"in_building": 1' --map $map --measurements header.csv --tx 300,300,40
near "$(number mean_error_db)" -2 "mean error"
gives '"off_map": 1' --map $map --measurements header.csv --average linear
gives '"not_numbers": 2' --map $map --measurements header.csv --average none
# The map says where its transmitter is; --tx stands above it
gives '"exponent": ' --map $map --measurements header.csv
cp "$folder/said" from_map
gives '"exponent": ' --map $map --measurements header.csv --tx 300,300,40
cmp -s "$folder/said" from_map || fail "the map's transmitter is not that of the prediction"
gives '"exponent": ' --map $map --measurements header.csv --tx 0,0,40
cmp -s "$folder/said" from_map && fail "--tx changes nothing"

# Received power from 40 dBm, columns by name, separated by semicolons
awk -F, 'BEGIN { print "east;north;dBm" } { print $1 ";" $2 ";" 40 - $4 }' plain.csv >power.csv
gives '"prediction"' --map $map --measurements power.csv --quantity power --tx-power 40dBm --columns x=east,y=north,value=dBm
near "$(number mean_error_db)" 3.5 "mean error of power"

# A map of another program: no unit, no model
gives '"prediction"' --map raw.bin --measurements plain.csv
near "$(number mean_error_db)" 3.5 "mean error of an ENVI map"

# Files: all six or none
gives 'errors/new/route.png' --map $map --measurements plain.csv --out errors/new
for name in evaluation.json points.csv route.png scatter.png histogram.png errors.png; do
    [ -s errors/new/$name ] || fail "no $name"
done
[ "$(ls errors/new | wc -l)" -eq 6 ] || fail "too many files: $(ls errors/new)"
cmp -s "$folder/said" errors/new/evaluation.json || fail "evaluation.json is not what --json prints"
[ "$(wc -l <errors/new/points.csv)" -eq $((count + 1)) ] || fail "points.csv has not one line a point"
awk -F, 'NR > 1 && ($5 - 3.5 > 1e-3 || 3.5 - $5 > 1e-3) { exit 1 }' errors/new/points.csv || fail "points.csv: wrong errors"
refuses 2 'not a folder' rasterwave evaluate --map $map --measurements plain.csv --out plain.csv
printf '1e6,1e6,100\n' >off.csv
refuses 2 'off the map' rasterwave evaluate --map $map --measurements off.csv --out none
[ -e none ] && fail "a failed run leaves a folder"

: >empty.csv
printf 'x,y,colour\n1,2,3\n' >colour.csv
refuses 2 'off the map' rasterwave evaluate --map $map --measurements off.csv
refuses 2 'is empty' rasterwave evaluate --map $map --measurements empty.csv
refuses 2 "no column for value" rasterwave evaluate --map $map --measurements colour.csv
refuses 2 "no column 'loss'" rasterwave evaluate --map $map --measurements colour.csv --columns x=x,y=y,value=loss
refuses 2 "no layer 'fog'" rasterwave evaluate --map $map --measurements plain.csv --layer fog
refuses 2 'layer los' rasterwave evaluate --map "$(echo $map | sed s/path_loss/los/)" --measurements plain.csv
refuses 2 'the map has 1 band' rasterwave evaluate --map $map --measurements plain.csv --band 2
refuses 2 'counted from 1' rasterwave evaluate --map $map --measurements plain.csv --band 0
refuses 2 'missing.csv' rasterwave evaluate --map $map --measurements missing.csv
refuses 2 'missing.tif' rasterwave evaluate --map missing.tif --measurements plain.csv
refuses 2 'needs a map or a scene' rasterwave evaluate --measurements plain.csv
refuses 2 'needs a transmitter' rasterwave evaluate --scene city:grid --measurements plain.csv
refuses 2 'db, linear or none' rasterwave evaluate --map $map --measurements plain.csv --average mode
refuses 2 'tx-power' rasterwave evaluate --map $map --measurements power.csv --quantity power --columns x=east,y=north,value=dBm

# The help fits a screen, and its two examples work where their files are.
cp header.csv route.csv
rasterwave evaluate --help >help || fail "--help"
[ "$(wc -l <help)" -le 24 ] || fail "--help is longer than a screen"
awk 'length($0) > 100 { exit 1 }' help || fail "--help is wider than 100 columns"
sed -n 's/^  rasterwave //p' help | sed "s,out/city/path_loss.tif,$map," >examples
[ "$(wc -l <examples)" -eq 2 ] || fail "--help: not two examples"
while read -r example; do
    # shellcheck disable=SC2086
    rasterwave $example >text 2>err || fail "$example: $(cat err)"
    grep -q "^RMSE .* dB$" text || fail "$example: no table"
done <examples

# The table of points names site, device and mechanism; sums of images are those of predict.
printf 'x,y,path_loss,site,device\n300,250,80,mast,"a,b"\n100,100,110,mast,c\n' >named.csv
rasterwave evaluate --scene city:european:size=600m,600m --tx 300,300,40,mast --measurements named.csv --out named --quiet ||
    fail "evaluate with sites and devices"
head -n 1 named/points.csv | grep -q ',site,device,mechanism$' || fail "columns: $(head -n 1 named/points.csv)"
grep -q ',mast,"a,b",[0-3]$' named/points.csv || fail "site, device and mechanism: $(cat named/points.csv)"
cat >room.csv <<END
x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m,slab
0,0,9,0,0,3,concrete
9,0,9,7,0,3,concrete
9,7,0,7,0,3,concrete
0,7,0,0,0,3,concrete
END
printf 'x,y,path_loss\n2,2,50\n7,6,60\n4,5,55\n8,2,55\n' >walked.csv
for sum in power coherent; do
    rasterwave evaluate --model images --scene room.csv --tx 4,3,2 --freq 2.4GHz --measurements walked.csv --sum $sum --out sum$sum \
        --quiet || fail "evaluate --model images --sum $sum"
done
cmp -s sumpower/points.csv sumcoherent/points.csv && fail "--sum changes nothing"

# Cells of floor plans are those of predict: samples half a metre apart are two points, in every model.
printf 'x,y,path_loss\n2,2,50\n2.5,2,52\n7,6,60\n8,2,55\n' >near.csv
columns=$(rasterwave predict --scene room.csv --tx 4,3,2 --freq 2.4GHz --out plan --json 2>/dev/null | sed -n 's/.*"columns": *\([0-9]*\).*/\1/p' | head -n 1)
for model in shadow images; do
    rasterwave evaluate --model $model --scene room.csv --tx 4,3,2 --freq 2.4GHz --measurements near.csv --out near >text 2>err ||
        fail "evaluate --model $model in a room: $(cat err)"
    grep -q ' 4 used as 4 points' text || fail "$model: $(sed -n 2p text)"
    cell=$(sed -n 's/^model .* cells of \([0-9.]*\) m$/\1/p' text)
    [ "$(awk -v cell="$cell" 'BEGIN { print 9 / cell }')" = "$columns" ] || fail "$model: cells of $cell m, predict has $columns columns"
done

# The empirical median is in every model's evaluation as in its map, named or not.
printf 'x,y,path_loss\n60,60,100\n100,60,96\n180,60,101\n220,60,110\n' >street.csv
for model in beams cubes; do
    for prior in "" "--prior 3gpp" "--prior none"; do
        # shellcheck disable=SC2086
        rasterwave evaluate --model $model --scene city:european:size=300m,300m --tx 150,145,13 --freq 2GHz $prior \
            --measurements street.csv --out "prior$prior" --quiet 2>err || fail "evaluate --model $model $prior: $(cat err)"
    done
    cmp -s prior/points.csv "prior--prior 3gpp/points.csv" || fail "$model: the default prior is not 3gpp"
    cmp -s prior/points.csv "prior--prior none/points.csv" && fail "$model: --prior none changes nothing"
done
[ $failures -eq 0 ]
