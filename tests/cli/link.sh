# link: the budget of a link, its section, and links that cannot be computed.
. "$2/tests/support/cli.sh"
scene="--scene city:grid:size=600m,600m"
ends="300,300,30,mast 520,410,1.5"

rasterwave link $ends $scene --preset lte-1800 --out budget.csv --profile section.csv >said 2>errors || fail "link: $(cat errors)"
grep -q '^length  *246.0' said || fail "length: $(cat said)"
grep -q '^section ' said || fail "section: $(cat said)"
[ "$(head -n 1 budget.csv)" = row,unit,a_to_b,b_to_a,about ] || fail "columns: $(head -n 1 budget.csv)"
# Rows add up in both directions, and the received power is that of predict at the point.
awk -F, 'NR > 1 { for (i = 3; i <= 4; i++) v[$1, i] = $i }
    END { for (i = 3; i <= 4; i++) { sum = v["power", i] + v["transmitter_gain", i] + v["free_space", i] + v["beyond_free_space", i] + v["receiver_gain", i]
            if ((sum - v["received", i]) ^ 2 > 1e-4) exit 1
            if ((v["received", i] - v["sensitivity", i] - v["margin", i]) ^ 2 > 1e-4) exit 1 } }' budget.csv || fail "rows do not add up: $(cat budget.csv)"
rasterwave predict $scene --tx 300,300,30 --preset lte-1800 --tx-azimuth 63.435 --tx-tilt 6.610 --layers path_loss,power --at 520,410,1.5 >point.csv || fail "predict --at"
awk -F, 'NR == FNR { if ($1 == "received") a = $3; next } FNR == 2 { exit !((a - $6) ^ 2 < 0.01) }' budget.csv point.csv ||
    fail "link $(grep received budget.csv), predict $(cat point.csv)"
[ "$(wc -l <section.csv)" -gt 100 ] || fail "section: $(wc -l <section.csv) lines"
rasterwave link $ends $scene --freq 2GHz --json >answer.json || fail "JSON"
"$json_check" length_m azimuth_deg clearance_m clearance_at_m clearance_fraction knife_edge_db path_loss_db budget version <answer.json || fail "JSON of link"
if has_library png; then
    rasterwave link $ends $scene --profile section.png --quiet && [ -s section.png ] || fail "no picture"
fi
refuses 2 'needs two ends' rasterwave link 300,300,30 $scene
refuses 2 'X,Y,Z' rasterwave link 300,300 520,410,2 $scene
refuses 2 'NAME.csv' rasterwave link $ends $scene --out budget.txt
refuses 2 'NAME.png or NAME.csv' rasterwave link $ends $scene --profile section.jpg
refuses 2 'the same position' rasterwave link 300,300,30 300,300,2 $scene
refuses 2 'inside a building' rasterwave link 300,300,30 300,500,2 $scene
refuses 2 'preset' rasterwave link $ends $scene --preset wifi-9
refuses 2 'horizontal' rasterwave link $ends $scene --tx-antenna sector
refuses 2 'needs a scene' rasterwave link $ends

# Presets fill what is not given, and say what was used.
rasterwave predict $scene --tx 300,300,30 --preset lora-868 --res 50 --layers power,noise,throughput --out lora >said || fail "a preset: $(cat said)"
grep -q '^defaults: .*16.15 dBm' said || fail "defaults of a preset: $(cat said)"
rasterwave predict $scene --tx 300,300,30 --res 50 --layers path_loss --out plain >said || fail "defaults"
grep -q '^defaults: 947 MHz, 30 dBm, isotropic antennas, receivers at 1.5 m$' said || fail "defaults: $(cat said)"
rasterwave predict $scene --tx 300,300,30 --res 50 --freq 2GHz --tx-power 40dBm --tx-antenna macro --rx-height 2m --layers path_loss --out all >said || fail "no defaults"
! grep -q '^defaults' said || fail "defaults that were not used: $(cat said)"

# Floor plans have cells of their size, and no streets.
rasterwave predict --scene office:size=20m,12m --tx 2,3,2 --level -60dBm --out office >said || fail "an office"
grep -q ' cells of 0.2 m' said || fail "cells of an office: $(cat said)"
! grep -q street said || fail "streets in an office: $(cat said)"
finish
