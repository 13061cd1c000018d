# rasterwave predict --plane: a map in a frame of its own that info tells and render draws; bad planes are refused by name.
. "$2/tests/support/cli.sh"
call="rasterwave predict --scene office --tx 1.5,5,2.2 --freq 2.5GHz --model images --depth 1 --pixels 64 --layers path_loss"

# shellcheck disable=SC2086
$call --plane 0.5,5,0.3:8,0,0:0,0,2 --res 0.5 --out upright --json >said 2>errors || fail "predict --plane: $(cat errors)"
"$json_check" columns rows layers.0.file <said || fail "JSON of a plane"
grep -q '"columns": 16' said || fail "not 16 columns: $(cat said)"
map=upright/path_loss.tif
has_library gdal || map=upright/path_loss.bin
[ -s "$map" ] || fail "no raster"
rasterwave info "$map" | grep -q '^plane      0.5,5,0.3:8,0,0:0,0,2$' || fail "info tells no plane: $(rasterwave info "$map")"
rasterwave info "$map" --json | "$json_check" plane_m.8 || fail "JSON of info"
if has_library png; then
    [ -s upright/path_loss.png ] || fail "no picture"
    rasterwave render "$map" --scene office --out again.png --quiet || fail "render of a plane"
fi
if has_library hdf5; then
    [ -s upright/plane.h5 ] || fail "no plane.h5"
    grep -q '"hdf5": "upright/plane.h5"' said || fail "plane.h5 is not told"
else
    [ -e upright/plane.h5 ] && fail "plane.h5 without HDF5"
fi
printf 'x,y,path_loss\n1,1,60\n' >measured.csv
refuses 2 'plane in space' rasterwave evaluate --map "$map" --measurements measured.csv

refuses 2 'expected' $call --plane 0,0,1:5,0,0 --out bad
refuses 2 'expected' $call --plane 0,0,1:5,0:0,5,0 --out bad
refuses 2 'at 45 degrees' $call --plane 0,0,1:5,0,0:3,3,0 --out bad
refuses 2 'no length' $call --plane 0,0,1:5,0,0:0,0,0 --out bad
refuses 2 'rx-height' $call --plane 0,0,1:5,0,0:0,5,0 --rx-height 1 --out bad
refuses 2 'area' $call --plane 0,0,1:5,0,0:0,5,0 --area 0,0,5,5 --out bad
refuses 2 'plane is of images, sbr' rasterwave predict --scene office --tx 1.5,5,2.2 --plane 0,0,1:5,0,0:0,5,0 --out bad
finish
