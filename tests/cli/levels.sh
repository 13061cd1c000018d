# A level belongs to a layer, people are counted by one rule in plan and statistics, and every command takes the strongest of several transmitters
# unless one is selected.
. "$2/tests/support/cli.sh"
scene=city:european:size=300m,300m:seed=1
call="rasterwave predict --scene $scene --tx 60,60,20,a --tx 240,200,15,b --freq 2GHz --res 10 --backend cpu"

# The level of --layers rsrp is one of RSRP: the same percentage as the layer's statistics.
$call --layers rsrp --bandwidth 20MHz --level -85dBm --out rsrp --json >predicted.json || fail "predict --layers rsrp --level"
grep -q '"layer": "rsrp"' predicted.json || fail "the level is not of RSRP: $(cat predicted.json)"
rasterwave statistics rsrp --layer rsrp --level -85 --json >counted.json || fail "statistics --layer rsrp"
predicted=$(sed -n 's/.*"receiver_percent": \([0-9.]*\).*/\1/p' predicted.json | head -n 1)
counted=$(sed -n 's/.*"covered_percent": \([0-9.]*\).*/\1/p' counted.json | tail -n 1)
[ -n "$predicted" ] && [ "$predicted" = "$counted" ] || fail "RSRP: predict $predicted %, statistics $counted %"
$call --level rsrp:-100dBm,sinr:3dB --layers path_loss --out several >text || fail "two levels"
grep -q '^rsrp of -100 dBm or more by all together: ' text || fail "no line for RSRP: $(cat text)"
grep -q '^sinr of 3 dB or more by all together: ' text || fail "no line for SINR: $(cat text)"
$call --level path_loss:100dB --out losses >text || fail "a level of path loss"
grep -q '^path_loss of 100 dB or less by a: ' text || fail "path loss has no direction: $(cat text)"
refuses 2 'the layer sinr is in dB' $call --level sinr:-90dBm --out never
refuses 2 "there is no layer 'xyzzy'" $call --level xyzzy:3 --out never
refuses 2 'has no order' $call --level best:1 --out never
refuses 2 'of which layer' $call --level 3dB --out never

# Statistics: direction and unit of the layer.
$call --layers path_loss,power,best,mechanism --out map --quiet || fail "predict"
refuses 2 'a path loss in dB is positive' rasterwave statistics map --layer path_loss --level -70
refuses 2 'the layer path_loss is in dB' rasterwave statistics map --layer path_loss --level 70dBm
rasterwave statistics map --layer path_loss --level 90 >text || fail "statistics of path loss"
grep -q '^covered: path_loss of 90 dB or less$' text || fail "no line about the level: $(cat text)"
grep -q '^transmitter: strongest of 2 ' text || fail "statistics does not say which transmitter: $(cat text)"

# Categories are counted, never averaged.
rasterwave statistics map --layer best --json >best.json || fail "statistics of best"
grep -q '"mean": null' best.json || fail "the best server has a mean: $(cat best.json)"
"$json_check" zones.0.classes.1.cells <best.json || fail "no classes: $(cat best.json)"
refuses 2 'choose one: --transmitter 1' rasterwave statistics map --layer mechanism
rasterwave statistics map --layer mechanism --transmitter 2 >text || fail "statistics of one mechanism"
grep -q 'transmitter: b' text || fail "the transmitter is not named: $(cat text)"
rasterwave compare map map --layer best >text || fail "compare best"
grep -q '^another class in 0 cells' text || fail "classes are subtracted: $(cat text)"

# Sector 2 moved: compare takes the strongest, which differs, and --transmitter 1 (alias --band) does not.
rasterwave predict --scene $scene --tx 60,60,20,a --tx 200,240,15,b --freq 2GHz --res 10 --backend cpu --layers path_loss,power --out moved --quiet || fail "predict"
rasterwave compare map moved --layer power >text || fail "compare"
grep -q '^difference: mean .* RMS [0-9.]*[1-9]' text || fail "the strongest is the same: $(cat text)"
grep -q '^transmitter: strongest of 2' text || fail "compare does not say which: $(cat text)"
rasterwave compare map moved --layer power --transmitter 1 >text || fail "compare --transmitter"
grep -q '^difference: mean 0 dB, RMS 0 dB' text || fail "transmitter 1 differs: $(cat text)"
rasterwave compare map moved --layer power --band 1 >alias || fail "compare --band"
cmp -s text alias || fail "--band is not --transmitter"
refuses 2 'counted from 1' rasterwave compare map moved --transmitter 0
refuses 2 'there is no number 3' rasterwave compare map moved --transmitter 3

# A range limits which cells have a value, never the value.
near="rasterwave predict --scene city:grid:size=300m,300m --tx 300,300,10 --layers power --res 5 --backend cpu --quiet"
$near --out all || fail "predict"
$near --range-level -60dBm --out within || fail "predict --range-level"
rasterwave compare all within --layer power >text || fail "compare"
grep -q 'largest 0 dB' text || fail "--range-level changes values: $(cat text)"

# People: 1 per cell. Both commands have one total, and those in buildings count at the nearest receiver.
{
    printf 'ncols 30\nnrows 30\nxllcorner 0\nyllcorner 0\ncellsize 10\n'
    awk 'BEGIN { for (i = 0; i < 900; i++) printf "1%s", i % 30 == 29 ? "\n" : " " }'
} >people.asc
if has_library gdal; then
    cat >sites.csv <<'CSV'
name,x,y,height,keep
a,60,60,20,fixed
b,240,200,15,yes
CSV
    rasterwave predict --scene $scene --sites sites.csv --freq 2GHz --res 10 --area 0,0,300,300 --layers power --backend cpu --out people --quiet || fail "predict"
    rasterwave statistics people --layer power --level -60 --weights people.asc --json >counted.json || fail "statistics --weights"
    rasterwave plan --scene $scene --candidates sites.csv --freq 2GHz --res 10 --area 0,0,300,300 --level -60 --weights people.asc --backend cpu --out plan --json >plan.json 2>errors ||
        fail "plan: $(cat errors)"
    counted=$(sed -n 's/.*"weight": \([0-9.]*\).*/\1/p' counted.json | tail -n 1)
    planned=$(sed -n 's/.*"weight": \([0-9.]*\).*/\1/p' plan.json | head -n 1)
    [ "$counted" = 900 ] && [ "$planned" = 900 ] || fail "people: statistics $counted, plan $planned, there are 900"
    covered=$(sed -n 's/.*"covered_weight": \([0-9.]*\).*/\1/p' counted.json | tail -n 1)
    value=$(sed -n 's/.*"predicted": \([0-9.]*\).*/\1/p' plan.json | head -n 1)
    awk -v a="$covered" -v b="$value" 'BEGIN { exit !(a > 100 && a - b < 0.5 && b - a < 0.5) }' || fail "people covered: statistics $covered, plan $value"
    grep -q '"weights_by": "nearest receiver"' counted.json || fail "the rule is not stated"
fi
finish
