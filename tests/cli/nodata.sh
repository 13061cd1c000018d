# A cell that no path reaches has no mechanism and no path loss, and a single path has no delay spread and no K factor: they are nodata.
. "$2/tests/support/cli.sh"
beams="rasterwave predict --scene city:european:size=200m,200m:seed=1 --tx 60,60,3 --freq 2GHz --model beams --prior none --res 5 --backend cpu"
$beams --layers path_loss,mechanism,delay_spread,k_factor,paths --out map --json >said.json 2>errors || fail "predict: $(cat errors)"
$beams --roofs none --layers path_loss,mechanism --out bare --json >bare.json 2>errors || fail "predict --roofs none: $(cat errors)"
tr -d ' \n' <bare.json >flat.json
without=$(sed 's/.*"name":"path_loss"[^}]*"without_path":\([0-9]*\).*/\1/' flat.json)
count=$(sed 's/.*"name":"path_loss"[^}]*"count":\([0-9]*\).*/\1/' flat.json)
mechanisms=$(sed 's/.*"name":"mechanism"[^}]*"count":\([0-9]*\).*/\1/' flat.json)
[ "$without" -gt 0 ] && [ "$count" = "$mechanisms" ] || fail "$count cells with a path, $without without, $mechanisms with a mechanism"
tr -d ' \n' <said.json >flat.json
spread=$(sed 's/.*"name":"delay_spread"[^}]*"count":\([0-9]*\).*/\1/' flat.json)
k=$(sed 's/.*"name":"k_factor"[^}]*"count":\([0-9]*\).*/\1/' flat.json)
loss=$(sed 's/.*"name":"path_loss"[^}]*"count":\([0-9]*\).*/\1/' flat.json)
[ "$spread" = "$k" ] && [ "$spread" -gt 0 ] && [ "$spread" -lt "$loss" ] || fail "delay spread in $spread and K factor in $k of $loss cells"
finish
