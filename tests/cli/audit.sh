# rasterwave calibrate --fit site: a drive round two masts, made by the model with 6 dB of noise, gives azimuths back within 5
# degrees; swapped and rotated sectors are reported; the residuals of a calibration reach a map.
. "$2/tests/support/cli.sh"
scene=city:european:size=700m,700m:seed=3
{
    echo "name,x,y,height,azimuth,tilt,power,antenna"
    for sector in 1,10 2,130 3,250; do echo "a${sector%,*},400,390,28,${sector#*,},0,40,3gpp"; done
    for sector in 1,60 2,180 3,300; do echo "b${sector%,*},180,200,30,${sector#*,},0,43,3gpp"; done
} >truth.csv
# a1 and a2 are swapped, b2 is rotated by 45 degrees and 3 dB too weak.
sed 's/^a1,400,390,28,10/a1,400,390,28,130/; s/^a2,400,390,28,130/a2,400,390,28,10/; s/^b2,180,200,30,180,0,43/b2,180,200,30,225,0,40/' \
    truth.csv >table.csv
awk 'BEGIN { srand(1); print "x,y,path_loss,site"; split("a1 a2 a3 b1 b2 b3", name, " ")
    for (i = 0; i < 3000; i++) print 20 + 660 * rand() "," 20 + 660 * rand() ",100," name[1 + i % 6] }' >spots.csv
rasterwave evaluate --scene $scene --sites truth.csv --measurements spots.csv --average none --out losses --quiet 2>errors ||
    fail "evaluate: $(cat errors)"

# Received power with the element of 3GPP TR 38.901, table 7.3-1, written out.
awk -F, -v pi=3.14159265358979 'BEGIN { srand(7) }
    FNR == NR { if (FNR > 1) { x[$1] = $2; y[$1] = $3; h[$1] = $4; azimuth[$1] = $5; power[$1] = $7 } next }
    FNR == 1 { print "x,y,power,site"; next }
    { east = $1 - x[$9]; north = $2 - y[$9]; phi = atan2(east, north) * 180 / pi - azimuth[$9]
      while (phi > 180) phi -= 360
      while (phi < -180) phi += 360
      theta = atan2(h[$9] - 1.5, sqrt(east * east + north * north)) * 180 / pi
      across = 12 * (phi / 65) ^ 2; up = 12 * (theta / 65) ^ 2
      loss = (across > 30 ? 30 : across) + (up > 30 ? 30 : up)
      noise = 6 * sqrt(-2 * log(1 - rand())) * cos(2 * pi * rand())
      printf "%s,%s,%.3f,%s\n", $1, $2, power[$9] + 8 - (loss > 30 ? 30 : loss) - $4 + noise, $9 }' \
    truth.csv losses/points.csv >power.csv
rasterwave calibrate --scene $scene --sites table.csv --measurements power.csv --quantity power --fit site --bounds height=4,tilt=5 \
    --out fixed.csv >text 2>errors || fail "calibrate --fit site: $(cat errors)"
grep -q '^a1 .*swapped with a2$' text && grep -q '^a2 .*swapped with a1$' text || fail "swapped sectors: $(cat text)"
grep -q '^b2 .*rotated$' text || fail "a rotated sector: $(cat text)"
[ "$(grep -c 'as in the table$' text)" -eq 3 ] || fail "the others: $(cat text)"
awk -F, 'FNR == NR { azimuth["\"" $1 "\""] = $5; next } FNR > 1 { off = $5 - azimuth[$1]
    while (off > 180) off -= 360
    while (off < -180) off += 360
    if (!(off > -5 && off < 5)) { print $1, off; bad = 1 } n++ } END { exit bad || n != 6 }' truth.csv fixed.csv ||
    fail "azimuths: $(cat fixed.csv)"
rasterwave calibrate --scene $scene --sites fixed.csv --measurements power.csv --quantity power --residuals --out p.json --json \
    >said 2>errors || fail "calibrate --residuals: $(cat errors)"
"$json_check" residuals.stored residuals.rmse_db unseen.one_slope_db unseen.free_space_db <said || fail "JSON: $(cat said)"
rasterwave predict --scene $scene --sites fixed.csv --params p.json --res 20 --layers path_loss,benefit --out map --quiet ||
    fail "predict with residuals"
refuses 2 'for example height=5' rasterwave calibrate --scene $scene --sites table.csv --measurements power.csv --quantity power \
    --fit site --bounds depth=3
refuses 2 'needs measured power' rasterwave calibrate --scene $scene --sites table.csv --measurements spots.csv --fit site
refuses 2 'needs parameters with residuals' rasterwave predict --scene $scene --tx 300,300,30 --layers benefit
finish
