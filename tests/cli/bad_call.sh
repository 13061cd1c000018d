# Calls that are wrong: each ends with status 2 and one line, and leaves nothing behind.
. "$2/tests/support/cli.sh"

scene=city:grid:size=400m,400m
predict="rasterwave predict --scene $scene --tx 100,100,200 --out map"

refuses 2 "which command" rasterwave
refuses 2 "did you mean 'predict'" rasterwave predikt
refuses 2 "no command 'xyzzy'" rasterwave xyzzy
refuses 2 "did you mean --freq" $predict --freqq 1GHz
refuses 2 "no option --xyzzy" $predict --xyzzy
refuses 2 "needs a value" $predict --freq
refuses 2 "argument too many" $predict extra
refuses 2 "two dashes" $predict -x
refuses 2 "needs a scene" rasterwave predict --tx 1,1,1
refuses 2 "needs a transmitter" rasterwave predict --scene $scene
refuses 2 "cannot both" $predict --sites /dev/null
refuses 2 "layer" $predict --layers path_loss,xyzzy
refuses 2 "model" $predict --model xyzzy
refuses 2 "method" $predict --method xyzzy
refuses 2 "auto, cpu or cuda" $predict --backend xyzzy
refuses 2 "threads are not possible" $predict --threads 100000
refuses 2 "res = 1e+300 m is out of range" $predict --res 1e300
refuses 2 "area" $predict --area 0,0,1e300,1e300 --res 1000
refuses 2 "xyzzy" rasterwave predict --scene city:xyzzy --tx 1,1,1 --out map
refuses 2 "city, office or terrain" rasterwave generate village --out a.gpkg
refuses 2 "out" rasterwave generate city
refuses 2 "size\|width\|depth" rasterwave generate city --size 1m,1m --out a.gpkg
refuses 2 "" rasterwave generate city --size nan,nan --out a.gpkg
refuses 2 "style" rasterwave generate city --style xyzzy --out a.gpkg
refuses 2 "counted from 1" rasterwave render map.tif --band 0 --out a.png
refuses 2 "calc" rasterwave calc xyzzy
refuses 2 "calc material" rasterwave calc material --name xyzzy --freq 1GHz
refuses 2 "calc free-space" rasterwave calc free-space --distance 1km --freq xyzzy
refuses 2 "xyzzy" rasterwave bench --only xyzzy --json

for value in 0 -5 nan inf -inf 1e400 "" five 5dB; do
    refuses 2 "res" $predict --res "$value"
    refuses 2 "freq" $predict --freq "$value"
    refuses 2 "" $predict --tx "100,100,$value"
done
for value in 0 -5 nan inf five; do
    refuses 2 "" $predict --rx-height "$value"
done
for value in nan inf -inf 1e400 five; do
    refuses 2 "" $predict --tx "$value,100,200"
    refuses 2 "" $predict --tx "100,$value,200"
    refuses 2 "area" $predict --area "0,0,$value,100"
done
refuses 2 "X,Y,Z" $predict --tx 1,2
refuses 2 "area = 10: expected" $predict --area 0,0,10
refuses 2 "whole number" $predict --threads -1
refuses 2 "would need" $predict --res 0.0001
refuses 2 "" $predict --res 1e-300
refuses 2 "area\|receivers" $predict --area 100,100,100,100
refuses 2 "area\|receivers" $predict --area 200,100,100,200
refuses 2 "area\|receivers" $predict --area 5000,5000,6000,6000
refuses 2 "off the map\|outside\|not on the map" rasterwave predict --scene $scene --tx 90000,100,10 --out map

# Somewhere on a straight line through the blocks there is a building; its sentence says what to do.
inside=0
for x in 40 60 80 100 120 140 160 180; do
    if ! rasterwave predict --scene $scene --tx $x,100,1 --layers los --res 20 --out probe >/dev/null 2>&1; then
        refuses 2 "inside a building" rasterwave predict --scene $scene --tx $x,100,1 --out map
        inside=1
    fi
done
rm -rf probe
[ $inside = 1 ] || fail "no transmitter was inside a building"
finish
