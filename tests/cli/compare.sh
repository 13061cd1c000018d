# rasterwave compare: numbers and picture of the difference of two maps; other grids are refused.
. "$2/tests/support/cli.sh"
call="rasterwave predict --scene office:size=12m,8m --tx 2,1.5,2 --freq 2.4GHz --model images --depth 2 --quiet"
$call --pixels 256 --out fine || fail "predict"
$call --pixels 32 --out coarse || fail "predict"
$call --pixels 32 --res 0.5 --out wide || fail "predict"

rasterwave compare fine fine >said 2>errors || fail "compare: $(cat errors)"
grep -q '^difference: mean 0 dB, RMS 0 dB, largest 0 dB' said || fail "a map differs from itself: $(cat said)"
rasterwave compare fine coarse --above 0.01dB >said 2>errors || fail "compare: $(cat errors)"
grep -q '^path_loss: [1-9][0-9]* cells in both maps' said || fail "cells: $(cat said)"
grep -q '^above 0.01 dB: [0-9.e-]* % of the cells' said || fail "share: $(cat said)"
rasterwave compare fine coarse --layer delay_spread --json >answer.json 2>errors || fail "compare --json: $(cat errors)"
"$json_check" first second layer unit cells only_first only_second mean rms max max_x_m max_y_m above share_above version \
    <answer.json || fail "JSON of compare"
grep -q '"layer": "delay_spread"' answer.json || fail "the layer: $(cat answer.json)"
[ -z "$(rasterwave compare fine coarse --quiet)" ] || fail "compare --quiet says something"
if has_library png; then
    rasterwave compare fine coarse --scene office:size=12m,8m --out difference.png >said || fail "picture"
    [ "$(tail -n 1 said)" = difference.png ] && [ -s difference.png ] || fail "no picture: $(cat said)"
fi

refuses 2 'cells; they must be the same' rasterwave compare fine wide
refuses 2 'needs two maps' rasterwave compare fine
refuses 2 'one argument too many' rasterwave compare fine coarse wide
refuses 2 "has no layer 'xyzzy'" rasterwave compare fine coarse --layer xyzzy
refuses 2 'there is no number 2' rasterwave compare fine coarse --band 2
refuses 2 'missing.tif' rasterwave compare fine missing.tif
refuses 2 'pictures are written as NAME.png' rasterwave compare fine coarse --out a.jpg
finish
