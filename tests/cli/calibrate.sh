# rasterwave calibrate: measurements made by the model give its parameters back; files, JSON and help are as promised; bad
# input ends with one line and status 2. Routes come as the COST 231 routes do: lines of x, y, z, path loss.
. "$2/tests/support/cli.sh"
model="--scene city:european:size=500m,500m --tx 250,250,40 --effects streets_polynomial,roofs_polynomial,walls"

# number FILE LINES KEY: the value of a key in the lines of a JSON object that start with a key
number()
{
    sed -n "/\"$2\"/,/}/s/.*\"$3\": \([-0-9.e+]*\).*/\1/p" "$1" | head -n 1
}

# Routes as numbers alone, one with commas, one with blanks; what the model predicts with known parameters, and noise of 4 dB.
awk 'BEGIN { for (i = 5; i < 500; i += 45) for (t = 3; t < 497; t += 3) print t "," i + t % 9 ",1.5,100" }' >places202
awk 'BEGIN { for (i = 25; i < 500; i += 45) for (t = 3; t < 497; t += 3) print i + t % 11 "  " t "  1.5 100" }' >places200
cat >known.json <<END
{"model": "shadow", "freq_hz": 947e6,
 "parameters": {"street_a0_db": 6, "street_a1_db_rad": 20, "street_a2_db_rad2": -3, "street_a3_db_rad3": 0, "roof_a0_db": 7,
                "roof_a1_db_rad": 15, "roof_a2_db_rad2": 0, "roof_a3_db_rad3": 0, "wall_first_db": 9, "wall_ratio": 0.8}}
END
for route in 200 202; do
    # shellcheck disable=SC2086
    rasterwave evaluate $model --params known.json --measurements places$route --average none --out made$route --quiet ||
        fail "evaluate with a model"
    awk -F, -v seed=$route 'BEGIN { srand(seed) }
        NR > 1 { print $1 "," $2 ",1.5," $4 + 4 * sqrt(-2 * log(1 - rand())) * cos(6.283185 * rand()) }' \
        made$route/points.csv >METRO$route
    [ "$(wc -l <METRO$route)" -gt 300 ] || fail "too few points on route $route"
done

# The two commands of the README, on these routes.
# shellcheck disable=SC2086
rasterwave calibrate $model --freq 947MHz --measurements METRO202 --out metro.json >text 2>errors || fail "calibrate: $(cat errors)"
[ -s errors ] && fail "calibrate warns: $(cat errors)"
grep -q '^wall_first_db .* dB' text || fail "no table of parameters: $(cat text)"
grep -q '^fitted to before' text || fail "no table of errors"
"$json_check" model freq_hz parameters.wall_ratio.value parameters.wall_ratio.standard_error calibration.data calibration.date \
    calibration.points calibration.rmse_before_db calibration.rmse_after_db <metro.json || fail "metro.json"
# The plot is told beside the parameters.
# shellcheck disable=SC2086
rasterwave calibrate $model --measurements METRO202 --plot fit.png >text 2>errors || fail "calibrate --plot: $(cat errors)"
grep -q '^fit.png$' text || fail "the plot is not told: $(cat text)"
# shellcheck disable=SC2086
rasterwave calibrate $model --measurements METRO202 --plot fit.png --json >said 2>errors || fail "calibrate --plot --json"
grep -q '"plot": "fit.png"' said || fail "the plot is not in the JSON: $(cat said)"
for route in 200 202; do
    # shellcheck disable=SC2086
    rasterwave evaluate $model --params metro.json --measurements METRO$route --json >said 2>errors || fail "evaluate: $(cat errors)"
    "$json_check" scene model params points prediction.rmse_db one_slope.rmse_db histogram.counts.0 <said || fail "JSON of evaluate"
    awk -v rmse="$(number said prediction rmse_db)" 'BEGIN { exit !(rmse > 3.4 && rmse < 4.6) }' ||
        fail "route $route: the error is $(number said prediction rmse_db) dB and the noise 4 dB"
done

# All of it as one table with routes, one of them held out; a random share; JSON.
{
    echo "x,y,path_loss,route"
    awk -F, '{ print $1 "," $2 "," $4 ",a" }' METRO202
    awk -F, '{ print $1 "," $2 "," $4 ",b" }' METRO200
} >all.csv
# shellcheck disable=SC2086
rasterwave calibrate $model --measurements all.csv --holdout route=b --json >said 2>errors || fail "holdout: $(cat errors)"
"$json_check" model measurements turns settled seconds samples.used parameters.0.name parameters.11.standard_error \
    parameters.1.before parameters.1.after parameters.1.state fit.points fit.before.rmse_db fit.after.std_dev_db holdout.points \
    holdout.before.mean_error_db holdout.after.rmse_db version <said || fail "JSON of calibrate"
[ -e params.json ] && fail "a file that was not asked for"
# shellcheck disable=SC2086
rasterwave calibrate $model --measurements all.csv --holdout random=0.3 --fit wall,offset --out some.json --quiet >said 2>&1 ||
    fail "random: $(cat said)"
[ -s said ] && fail "--quiet is not: $(cat said)"

# A prediction with parameters differs from one without, and one with the uncalibrated ones does not.
cat >plain.json <<END
{"model": "shadow", "freq_hz": 947e6, "parameters": {}}
END
for params in "" plain metro; do
    # shellcheck disable=SC2086
    rasterwave predict $model --res 10 --layers path_loss ${params:+--params $params.json} --out map$params --quiet ||
        fail "predict $params"
done
is_same() { rasterwave compare map "$1" --json | tr -d ' \n' | grep -q '"only_first":0,"only_second":0,"mean":0,"rms":0,"max":0,'; }
is_same mapplain || fail "uncalibrated parameters change the map"
is_same mapmetro && fail "calibrated parameters change nothing"

# Two transmitters: the site names the one that a sample is of.
{
    echo "x,y,path_loss,site"
    awk -F, 'NR % 2 { print $1 "," $2 "," $4 ",west" }' METRO202
    awk -F, 'NR % 2 { print $1 "," $2 "," $4 ",east" }' METRO200
} >two.csv
two="--scene city:european:size=500m,500m --tx 250,250,40,west --tx 250,250,40,east"
# shellcheck disable=SC2086
rasterwave calibrate $two --measurements two.csv --holdout site=east --quiet || fail "two sites"
refuses 2 "no transmitter is called 'west'" rasterwave calibrate $model --measurements two.csv
refuses 2 'no column that names the site' rasterwave calibrate $two --measurements METRO202

printf 'x,y,path_loss\n' >none.csv
head -n 1 METRO202 >few.csv
echo '{"model": "shadow"' >cut.json
echo '{"model": "shadow", "freq_hz": 1e9, "parameters": {"fog": 1}}' >fog.json
echo '{"model": "shadow", "freq_hz": 1e9, "parameters": {"wall_ratio": 2}}' >bound.json
calibrate="rasterwave calibrate $model"
refuses 2 'needs measurements' $calibrate
refuses 2 'needs a scene' rasterwave calibrate --measurements METRO202
refuses 2 'needs a transmitter' rasterwave calibrate --scene city:grid --measurements METRO202
refuses 2 'no measurements' $calibrate --measurements none.csv
refuses 2 'cannot determine 1 parameters' $calibrate --fit offset --measurements few.csv --out few.json
refuses 2 'missing.csv' $calibrate --measurements missing.csv
refuses 2 "no measurement is of route 'z'" $calibrate --measurements all.csv --holdout route=z
refuses 2 'no column for route' $calibrate --measurements METRO202 --holdout route=a
refuses 2 'between 0 and 1' $calibrate --measurements all.csv --holdout random=2
refuses 2 "no group of parameters 'fog'" $calibrate --measurements all.csv --fit fog
refuses 2 'cut.json' $calibrate --measurements all.csv --params cut.json
refuses 2 "no parameter 'fog'" rasterwave predict $model --params fog.json --out never
refuses 2 'not between 0 and 1' rasterwave predict $model --params bound.json --out never
refuses 2 'not both' rasterwave evaluate $model --map "map/$raster" --measurements METRO202
refuses 2 'is for maps' rasterwave evaluate $model --layer los --measurements METRO202
mkdir taken.json
refuses 2 'taken.json' $calibrate --measurements all.csv --fit wall --out taken.json

# The help fits a screen, and its two examples work where their files are.
rasterwave calibrate --help >help || fail "--help"
[ "$(wc -l <help)" -le 24 ] || fail "--help is longer than a screen"
awk 'length($0) > 100 { exit 1 }' help || fail "--help is wider than 100 columns"
awk 'BEGIN { print "x,y,path_loss"; for (t = 5; t < 595; t += 2) { print t ",300," 60 + t / 9; print 290 "," t "," 70 + t / 8 } }' >route.csv
sed '1s/$/,site/; 2,$s/$/,m/' all.csv >sited.csv
sed -n 's/^  rasterwave //p' help >examples
[ "$(wc -l <examples)" -eq 2 ] || fail "--help: not two examples"
printf 'name,x,y,height\nm,250,250,40\n' >sites.csv
while read -r example; do
    # shellcheck disable=SC2086
    rasterwave $(echo "$example" | sed 's/all.csv/sited.csv/; s/c.gpkg/city:european:size=500m,500m/') >text 2>err ||
        fail "$example: $(cat err)"
    grep -q "^wall_ratio" text || fail "$example: no table"
done <examples
finish
