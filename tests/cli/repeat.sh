# repeat: a map computed again has the same values; changed inputs and values are named; what says nothing of its call is rejected.
. "$2/tests/support/cli.sh"
has_library gdal || finish
rasterwave generate city --size 200m,200m --style grid --out town.gpkg --quiet || fail "town"
printf 'name,x,y,height,azimuth,power,antenna\na,100,100,40,60,40,3gpp\nb,100,90,40,60,40,3gpp\nc,90,100,40,0,43,dipole\n' >sites.csv
rasterwave predict --scene town.gpkg --sites sites.csv --res 20 --layers path_loss,strongest --report page.html --quiet --out 'a folder' || fail "predict"
rasterwave network --scene town.gpkg --sites sites.csv --res 20 --radius 200 --quiet --out net || fail "network"

# The provenance has the content of every input, and frequency, power and antenna of every transmitter.
rasterwave info 'a folder/strongest.tif' >said
for file in town.gpkg sites.csv; do
    grep -q "^input .*$(sha256sum $file | cut -d ' ' -f 1) $file" said || fail "the provenance has no hash of $file: $(cat said)"
done
grep -q '^transmitters 1-2: 947 MHz, 40 dBm, 3gpp' said && grep -q '^transmitters 3: 947 MHz, 43 dBm, dipole' said || fail "transmitters: $(cat said)"

rm page.html
for map in 'a folder/strongest.tif' net/sinr.tif; do
    rasterwave repeat "$map" >said || fail "repeat $map: $(cat said)"
    grep -q 'has the same values again' said || fail "$map: $(cat said)"
done
[ ! -e page.html ] || fail "repeat writes other files of the call"
cp -p sites.csv old.csv
sed -i 's/,43,dipole/,46,dipole/' sites.csv
touch -r old.csv sites.csv
rasterwave repeat net/sinr.tif >said && fail "repeat with another input ends with status 0"
grep -q '^changed  *sites.csv' said && grep -q 'differs in .* cells, by up to 3' said || fail "another input: $(cat said)"
mv old.csv sites.csv
rm town.gpkg
rasterwave repeat net/sinr.tif >said 2>&1 && fail "repeat without its scene"
grep -q 'cannot be repeated' said || fail "without its scene: $(cat said)"
refuses 2 'says nothing of a prediction' rasterwave repeat sites.csv
refuses 2 'repeat needs a map' rasterwave repeat
finish
