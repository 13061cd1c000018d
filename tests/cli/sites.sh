# Two sites from a CSV file give two bands and a layer that tells the better one.
. "$2/tests/support/cli.sh"

cat >sites.csv <<'CSV'
name,x,y,height,azimuth,tilt,power,freq,antenna
west,100,100,200,90,5,43,947e6,3gpp
east,300,100,200,270,5,43,947e6,isotropic
CSV
rasterwave predict --scene city:grid:size=400m,400m --sites sites.csv --out map --json >answer.json || fail "predict"
"$json_check" layers.3.name <answer.json || fail "four layers"
tr -d '\n ' <answer.json >flat.json
grep -q '"transmitters":2,' flat.json || fail "two transmitters"
grep -q '"name":"path_loss","unit":"dB","bands":2,' flat.json || fail "two bands of path_loss"
grep -q '"name":"best","unit":"transmitter","bands":1,"min":1,"max":2,' flat.json || fail "best tells 1 and 2"
for picture in path_loss-1.png path_loss-2.png best.png; do
    [ -s map/$picture ] || fail "map/$picture is missing"
done
finish
