# Options that would be ignored without a word are rejected by name: what belongs to another option, another kind of file or another command.
. "$2/tests/support/cli.sh"
T=city:grid:size=200m,200m
rasterwave predict --scene $T --tx 100,100,120 --res 20 --layers path_loss --out map --quiet || fail "predict"
printf 'v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 2 3\nf 1 2 4\nf 2 3 4\n' >cube.obj
printf 'x,y,path_loss\n10,10,100\n' >measured.csv

# Words that the message has, and the call.
while IFS='|' read -r words call; do
    [ -n "$words" ] || continue
    refuses 2 "$words" rasterwave $call
done <<END
--name-field is of --zones|predict --scene $T --tx 100,100,120 --name-field a --out no
--name-field is of --zones|statistics map --layer path_loss --name-field a
--name-field is of --zones|compare map map --name-field a
--skip-bad is of --sites|predict --scene $T --tx 100,100,120 --skip-bad --out no
--rx-azimuth is of --rx-antenna|predict --scene $T --tx 100,100,120 --model beams --rx-azimuth 30 --out no
--rx-tilt is of --rx-antenna|predict --scene $T --tx 100,100,120 --model images --rx-tilt 30 --out no
--area has no effect on link|link 100,100,120 10,10,120 --scene $T --area 0,0,50,50
--radius has no effect on link|link 100,100,120 10,10,120 --scene $T --radius 50
--radius is of maps|predict --scene $T --tx 100,100,120 --at 10,10 --radius 5 --out no.csv
--range-level is of maps|predict --scene $T --tx 100,100,120 --at 10,10 --range-level -60dBm --out no.csv
--area is of maps|predict --scene $T --tx 100,100,120 --at 10,10 --area 0,0,50,50 --out no.csv
--columns is of --sites or --measurements|render map --layer path_loss --columns x=y --out no.png
--freq is of --antenna|render map --layer path_loss --freq 2GHz --out no.png
--crs is of --scene|render map --layer path_loss --crs EPSG:25832 --out no.png
--height-field is of --scene|compare map map --layer path_loss --height-field h
--range is of --out|compare map map --layer path_loss --range 1,2
--width is of --out|compare map map --layer path_loss --width 100
--terrain is of --scene|evaluate --map map/path_loss.tif --measurements measured.csv --terrain flat
--transmitter is of --at|info cube.obj --transmitter 2
--points-crs is of --at|info cube.obj --points-crs lonlat
info describes one file|info cube.obj --scene other.obj
height-field roof is not read from cube.obj|info cube.obj --height-field roof
height-unit ft is not read from cube.obj|predict --scene cube.obj --model images --tx 20,2,3 --height-unit ft --out no
layer walls is not read from cube.obj|info cube.obj:walls
--height-unit is of files|info $T --height-unit ft
--height-field is of files|predict --scene $T --tx 100,100,120 --height-field h --out no
'storeys=3' is a setting of office, not of city|info city:storeys=3
'hills' is a setting of city, not of office|info office:hills
'relief=9m' is a setting of terrain|info city:relief=9m
--hills has no effect on generate office|generate office --hills --out no.gpkg
--spacing has no effect on generate city|generate city --spacing 5m --out no.gpkg
--style has no effect on generate terrain|generate terrain --style grid --out no.gpkg
END
if has_library gdal; then
    rasterwave import $T --out town.gpkg --quiet || fail "import"
    refuses 2 'height-field h is not read from town.gpkg (a scene that rasterwave saved)' rasterwave info town.gpkg --height-field h
    refuses 2 'storeys-field h is not read from town.gpkg' rasterwave predict --scene town.gpkg --tx 100,100,120 --storeys-field h --out no
    refuses 2 'layer h is not read from town.gpkg' rasterwave info town.gpkg:h
    refuses 2 '--crs is of scenes, and map/path_loss.tif is a result' rasterwave info map/path_loss.tif --crs EPSG:25832
    refuses 2 '--height-field is of scenes' rasterwave info map/path_loss.tif --height-field h
fi
[ ! -e no ] && [ ! -e no.csv ] && [ ! -e no.png ] && [ ! -e no.gpkg ] || fail "a rejected call left outputs"
finish
