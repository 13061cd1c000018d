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

# Carriers of their own: 20 MHz and 4x4 against 5 MHz and one stream; network has the values of predict.
cat >carriers.csv <<'CSV'
name,x,y,height,power,freq,channel,bandwidth,mimo
west,100,100,200,43,1800MHz,1,20MHz,4x4
east,300,100,200,43,1800MHz,2,5MHz,
CSV
city="--scene city:grid:size=400m,400m --res 20 --effects none"
rasterwave predict $city --sites carriers.csv --layers noise,throughput,rsrp --json --out carriers >carriers.json || fail "predict with carriers"
tr -d '\n ' <carriers.json >flat.json
grep -q '"name":"noise","unit":"dBm","bands":1,"min":-98.4[0-9]*,"max":-92.4' flat.json ||
    fail "noise of 5 MHz (-98.4 dBm) and of 20 MHz (-92.4 dBm): $(cat flat.json)"
if has_library gdal; then
    rasterwave network $city --sites carriers.csv --layers noise,throughput,rsrp --quiet --out carried || fail "network with carriers"
    for layer in noise throughput rsrp; do
        rasterwave compare carriers/$layer.tif carried/$layer.tif --json >compared.json 2>errors.txt || fail "compare: $(cat errors.txt)"
        tr -d '\n ' <compared.json | grep -Eq '"rms":(0,|0\.000|[0-9.]+e-)' || fail "$layer of network differs from predict: $(cat compared.json)"
    done
fi
for bad in 20,0x4 20,4x 1e15,2 -5,2 20MHz,65; do
    printf 'name,x,y,height,bandwidth,mimo\na,100,100,200,%s\n' "$bad" >bad.csv
    refuses 2 'bad.csv, line 2: ' rasterwave predict $city --sites bad.csv --out never
done
finish
