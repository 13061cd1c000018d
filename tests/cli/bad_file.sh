# Files that are missing, wrong or cut off, and places that cannot be written.
. "$2/tests/support/cli.sh"
mkdir inputs
scene=city:grid:size=400m,400m

# reads_not WORDS FILE: no command takes the file as a scene.
reads_not()
{
    refuses 2 "$1" rasterwave info "$2"
    refuses 2 "$1" rasterwave predict --scene "$2" --tx 1,1,30 --out map
    refuses 2 "$1" rasterwave import "$2" --out made.gpkg
}

reads_not "nothing.res" nothing.res
: >inputs/empty
reads_not "empty" inputs/empty
printf 'This is a letter, not a city.\n' >inputs/letter.res
reads_not "letter.res" inputs/letter.res
head -c 3000 /dev/urandom >inputs/noise.bin
reads_not "noise.bin" inputs/noise.bin
reads_not "inputs" inputs

printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n' >inputs/head.ply
printf 'property list uchar int vertex_indices\nend_header\n' >>inputs/head.ply
{
    cat inputs/head.ply
    printf '0 0 0\n1 0 0\n'
} >inputs/cut.ply
reads_not "cut.ply" inputs/cut.ply
{
    cat inputs/head.ply
    printf '0 0 0\nnan 0 0\n0 1 0\n3 0 1 2\n'
} >inputs/nan.ply
reads_not "nan.ply" inputs/nan.ply
printf 'v 0 0 0\nv inf 0 0\nv 0 1 0\nf 1 2 3\n' >inputs/inf.obj
reads_not "inf.obj" inputs/inf.obj
printf '<scene version="2.1.0"><shape type="ply">' >inputs/cut.xml
reads_not "cut.xml" inputs/cut.xml

if has_library gdal; then
    rasterwave generate city --size 400m,400m --out inputs/city.gpkg --quiet || fail "generate"
    head -c 20000 inputs/city.gpkg >inputs/cut.gpkg
    reads_not "cut.gpkg" inputs/cut.gpkg
    refuses 2 "noise.bin" rasterwave info --scene $scene --terrain inputs/noise.bin
    refuses 2 "nothing.tif" rasterwave info --scene $scene --terrain nothing.tif
    refuses 2 "EPSG:999999\|coordinate system" rasterwave predict --scene $scene --crs EPSG:999999 --tx 100,100,200 --out map
    refuses 2 "letter.res/city.gpkg" rasterwave generate city --size 400m,400m --out inputs/letter.res/city.gpkg
fi
refuses 2 "nothing.tif" rasterwave render nothing.tif --out a.png
refuses 2 "letter.res" rasterwave render inputs/letter.res --out a.png

# Sites.
predict="rasterwave predict --scene $scene --out map"
refuses 2 "nothing.csv" $predict --sites nothing.csv
printf 'name,x,y\na,1,2\n' >inputs/no_height.csv
refuses 2 "no_height.csv" $predict --sites inputs/no_height.csv
printf 'name,x,y,height\na,100,100,200\nb,nan,100,30\n' >inputs/nan.csv
refuses 2 "nan.csv.*3" $predict --sites inputs/nan.csv
printf 'name,x,y,height\na,100,100,0\n' >inputs/zero.csv
refuses 2 "height" $predict --sites inputs/zero.csv
printf 'name,x,y,height,antenna\na,100,100,200,nothing.msi\n' >inputs/antenna.csv
refuses 2 "nothing.msi" $predict --sites inputs/antenna.csv

# Places that cannot be written. The superuser may write into any folder, so a file stands in the way.
predict="rasterwave predict --scene $scene --tx 100,100,200"
refuses 2 "letter.res" $predict --out inputs/letter.res
refuses 2 "letter.res" $predict --out inputs/letter.res/map
refuses 2 "/proc/map" $predict --out /proc/map
refuses 2 "/dev/full" $predict --out /dev/full
$predict --out map --quiet || fail "predict"
refuses 2 "letter.res" rasterwave render map --out inputs/letter.res/a.png
refuses 2 "/proc/a.png" rasterwave render map --out /proc/a.png
mkdir map/folder.png
refuses 2 "folder.png" rasterwave render map --out map/folder.png
rm -r map

# A full disk: files may not grow beyond a few blocks, which is told like one. The second holds pictures of that size.
refuses 1 "map/" sh -c "ulimit -f 16; exec $predict --out map"
mkdir map
refuses 1 "map/" sh -c "ulimit -f 16; exec $predict --out map"
has_library gdal && refuses 1 "big.gpkg" sh -c "ulimit -f 64; exec rasterwave generate city --size 1km,1km --out big.gpkg"
rasterwave info --scene $scene --json >/dev/full 2>errors.txt
[ $? = 1 ] || fail "standard output is full, status not 1"
[ "$(grep -c '^rasterwave: ' errors.txt)" = 1 ] || fail "standard output is full: $(cat errors.txt)"
finish
