# What the program writes it reads again, and names of any table are text in every format.
. "$2/tests/support/cli.sh"
has_library gdal || finish
rasterwave generate city --size 300m,300m --out c.geojson --quiet || fail "generate"
rasterwave generate city --size 300m,300m --out c.gpkg --quiet || fail "generate"
buildings() { rasterwave info "$1" --json | sed -n 's/.*"buildings": \([0-9]*\).*/\1/p'; }
[ "$(buildings c.geojson)" = "$(buildings c.gpkg)" ] || fail "GeoJSON has $(buildings c.geojson) buildings, GeoPackage $(buildings c.gpkg)"
rasterwave generate city --hills --size 300m,300m --out h.geojson >/dev/null 2>warned || fail "generate --hills"
grep -q 'terrain are left out' warned || fail "terrain is left out without a word: $(cat warned)"
refuses 2 'GeoJSON holds buildings, and the scene has none' rasterwave generate office --out o.geojson

# M\374nchen in ISO 8859-1, and a control character.
printf 'name,x,y,height\nM\374nchen\001 1,100,100,60\n' >sites.csv
rasterwave predict --scene c.gpkg --sites sites.csv --freq 2GHz --res 10 --level -90dBm --backend cpu --layers path_loss --out map --report r.html --json >said.json || fail "predict"
grep -q 'München  1' said.json || fail "the name in JSON: $(grep name said.json)"
grep -q 'München  1' r.html || fail "the name in HTML"
"$json_check" coverage.transmitters.0.name <said.json || fail "JSON"

# Every file of every command, by readers of their own.
if command -v python3 >/dev/null; then
    mkdir all
    python3 "$source_dir/tests/cli/round_trips.py" "$program" "$PWD/all" >read.txt 2>&1 || fail "files: $(tail -n 20 read.txt)"
fi
finish
