# --json of every command is one JSON object with the fields that are promised; --quiet is quiet.
. "$2/tests/support/cli.sh"
scene=city:grid:size=400m,400m

# holds "FIELDS" COMMAND...
holds()
{
    fields=$1
    shift
    "$@" >answer.json 2>errors.txt || fail "$*: $(cat errors.txt)"
    # shellcheck disable=SC2086
    "$json_check" $fields <answer.json || fail "$*"
}

quiet()
{
    "$@" >answer.txt 2>&1 || fail "$*: $(cat answer.txt)"
    [ ! -s answer.txt ] || fail "$* says: $(cat answer.txt)"
}

predict="rasterwave predict --scene $scene --tx 100,100,200,mast --out map"
holds "model backend cells transmitters seconds.load seconds.prepare seconds.solve seconds.write layers.0.name layers.0.min
    layers.0.max layers.0.count layers.0.file layers.2.count version machine" $predict --json
quiet $predict --quiet
holds "kind buildings walls extent_m.3 materials notes" rasterwave info --scene $scene --json
for raster in map/los.tif map/los.bin; do
    [ -f $raster ] && holds "kind columns rows res_m layers.0.name" rasterwave info $raster --json
done
quiet rasterwave info --scene $scene --quiet
holds "file version" rasterwave render map --layer los --out los.png --json
quiet rasterwave render map --layer los --out los.png --quiet
holds "version machine results.0.name results.0.checked" rasterwave bench --only los --json
[ "${RASTERWAVE_QUICK:-0}" = 1 ] || quiet rasterwave bench --only los --quiet
holds "" rasterwave calc free-space --distance 1km --freq 1GHz --json
if has_library gdal; then
    holds "file version" rasterwave generate city --size 400m,400m --out city.gpkg --json
    holds "file version" rasterwave import city.gpkg --out again.gpkg --json
    quiet rasterwave generate city --size 400m,400m --out city.gpkg --quiet
    quiet rasterwave import city.gpkg --out again.gpkg --quiet
fi
finish
