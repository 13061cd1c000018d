# Input from others at its worst: numbers beyond all sizes, files that name other files or services, project files that
# reach outside, nesting without end. Each is refused in a sentence or means something; nothing crashes or runs on.
. "$2/tests/support/cli.sh"
scene=city:grid:size=200m,200m
mkdir inputs

# Walls of no length are left out; walls, posts and cells of impossible size are refused.
printf 'x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m\n0,0,9,0,0,3\n9,0,9,9,0,3\n0,20,1e-200,20,0,9\n' >inputs/walls.csv
for model in shadow cubes images tiles; do
    rasterwave predict --scene inputs/walls.csv --tx 5,5,2 --model $model --res 3 --out map --quiet || fail "$model on a wall of 1e-200 m"
done
printf 'x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m\n0,20,40,20,0,9\n' >inputs/one.csv
rasterwave predict --scene inputs/one.csv --tx 10,20.5,3 --area 0,15,40,25 --model tiles --res 2 --out map --quiet || fail "tiles on a single wall"
rm -r map
printf 'x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m\n0,0,9,0,0,1e300\n' >inputs/high.csv
refuses 2 "1e+300" rasterwave info inputs/high.csv
for size in 1e-320 1e-200 0 -1 1e100 inf nan; do
    refuses 2 "res" rasterwave predict --scene $scene --tx 100,100,300 --res $size --out map
done
refuses 2 "area" rasterwave predict --scene $scene --tx 100,100,300 --area=-1e300,0,1e300,200 --res 1e6 --out map

# An ENVI map whose cells cannot be: read without any library.
envi()
{
    printf 'ENVI\nsamples = 3\nlines = 3\nbands = 1\ndata type = 4\ninterleave = bsq\nbyte order = 0\n'
    printf 'map info = {Arbitrary, 1, 1, 0, 0, %s, %s, units=Meters}\n' "$1" "$1"
}
head -c 36 /dev/zero >inputs/map.bin
for size in 1e-320 1e-7 1e100; do
    envi $size >inputs/map.hdr
    refuses 2 "map.bin" rasterwave render inputs/map.bin --out a.png
done

envi 10 >inputs/map.hdr
for range in 0,1e-320 1,1.0000000000000002 1e37,1.0000001e37; do
    timeout 100 rasterwave render inputs/map.bin --out a.png --range=$range --quiet || fail "a colour scale of $range"
done
refuses 2 "colour scale" timeout 100 rasterwave render inputs/map.bin --out b.png --range=-1e308,1e308
rm a.png

# A mesh without a wall, and rooms of a few cubes.
printf 'v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nf 1 2 3\nf 1 3 4\n' >inputs/plain.obj
for model in shadow cubes tiles; do
    rasterwave predict --scene inputs/plain.obj --tx 5,5,2 --model $model --res 2 --out map --quiet || fail "$model on a plain mesh"
done
for size in 12m,8m 6m,6m 30m,10m; do
    rasterwave predict --model cubes --scene office:size=$size --tx 2.6,2.4,2 --res 1 --layers path_loss --threads 1 --out map --quiet ||
        fail "cubes in an office of $size"
done
rm -r map

if has_library gdal; then
    for size in 1e100 1e7 1e-200; do
        printf 'ncols 3\nnrows 3\nxllcorner -%s\nyllcorner -%s\ncellsize %s\n1 2 3\n1 2 3\n1 2 3\n' $size $size $size >inputs/posts.asc
        refuses 2 "posts.asc\|apart\|Earth" rasterwave info --scene $scene --terrain inputs/posts.asc
        refuses 2 "posts.asc\|apart\|Earth" rasterwave predict --scene inputs/posts.asc --tx 0,0,10 --out map
    done
    # Heights that are not on Earth are unknown ones.
    printf 'ncols 3\nnrows 3\nxllcorner -100\nyllcorner -100\ncellsize 200\n1 2 1e30\n1 2 3\n-3e38 2 3\n' >inputs/posts.asc
    rasterwave predict --scene $scene --terrain inputs/posts.asc --tx 100,100,300 --res 20 --out map --quiet || fail "unknown heights"
    rm -r map

    # Formats that name other files or services, under the name of a GeoTIFF.
    rasterwave generate terrain --size 400m,400m --spacing 10m --out inputs/ground.gpkg --quiet || fail "generate"
    rasterwave predict --scene $scene --tx 100,100,300 --res 20 --out inputs/made --quiet || fail "predict"
    cat >inputs/vrt.tif <<EOF
<VRTDataset rasterXSize="10" rasterYSize="10"><GeoTransform>0, 20, 0, 200, 0, -20</GeoTransform>
<VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="1">made/path_loss.tif</SourceFilename>
<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>
EOF
    cat >inputs/wms.tif <<EOF
<GDAL_WMS><Service name="WMS"><Version>1.1.1</Version><ServerUrl>http://127.0.0.1:9/wms?</ServerUrl><SRS>EPSG:25832</SRS><Layers>a</Layers></Service>
<DataWindow><UpperLeftX>0</UpperLeftX><UpperLeftY>200</UpperLeftY><LowerRightX>200</LowerRightX><LowerRightY>0</LowerRightY><SizeX>10</SizeX><SizeY>10</SizeY></DataWindow></GDAL_WMS>
EOF
    for file in inputs/vrt.tif inputs/wms.tif; do
        refuses 2 "$file cannot be read" rasterwave info --scene $scene --terrain $file
        refuses 2 "$file cannot be read" rasterwave render $file --out a.png
        refuses 2 "$file" rasterwave predict --scene $scene --tx 100,100,300 --foliage $file --out map
        refuses 2 "$file" rasterwave info $file
    done
    # Overviews and masks beside a raster are opened by no driver at all.
    cp inputs/made/path_loss.tif inputs/masked.tif
    cp inputs/wms.tif inputs/masked.tif.msk
    cp inputs/wms.tif inputs/masked.tif.ovr
    rasterwave render inputs/masked.tif --out a.png --quiet || fail "a mask beside a map"
    rm a.png
fi

# Files that a scene or a table of sites names stay in its folder, unless asked.
mkdir inputs/scene
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n9 0 0\n0 9 3\n3 0 1 2\n' >inputs/other.ply
cp inputs/other.ply inputs/scene/own.ply
ln -s ../other.ply inputs/scene/link.ply
mesh()
{
    printf '<scene version="3.0.0"><shape type="ply" id="a"><string name="filename" value="%s"/></shape></scene>' "$1" >inputs/scene/scene.xml
}
mesh own.ply
rasterwave info inputs/scene/scene.xml >/dev/null || fail "a mesh beside its scene"
for file in ../other.ply "$scratch/inputs/other.ply" link.ply ../scene/../other.ply; do
    mesh "$file"
    refuses 2 "outside of its folder" rasterwave info inputs/scene/scene.xml
    rasterwave info --allow-outside inputs/scene/scene.xml >/dev/null || fail "$file, which is allowed"
done
mesh missing.ply
refuses 2 "missing.ply" rasterwave info inputs/scene/scene.xml
printf 'name,x,y,height,antenna\na,100,100,300,../../other.msi\n' >inputs/scene/sites.csv
refuses 2 "outside of its folder" rasterwave predict --scene $scene --sites inputs/scene/sites.csv --out map

if has_library cyaml; then
    mkdir inputs/project
    project()
    {
        printf 'command: predict\nscene: %s\ntx: ["100,100,300"]\nres: 20\nquiet: true\n%s\n' $scene "$1" >inputs/project/project.yaml
    }
    for line in "out: /tmp/elsewhere" "out: ../../../map" "sites: ../../../sites.csv" "database: /etc/passwd"; do
        project "$line"
        refuses 2 "outside of its folder" rasterwave predict inputs/project/project.yaml
    done
    project "allow-outside: true"
    refuses 2 "command line" rasterwave predict inputs/project/project.yaml
    project "out: map"
    rasterwave predict inputs/project/project.yaml || fail "a project of this folder"
    project "out: ../borders-map"
    mkdir work
    (cd work && rasterwave predict --allow-outside ../inputs/project/project.yaml) || fail "a project that is allowed"
    (cd work && ! rasterwave predict ../inputs/project/project.yaml 2>/dev/null) || fail "a project that is not allowed"
    rm -r inputs/project/map inputs/borders-map work

    # The time to refuse brackets does not grow with the square of their number.
    { printf 'tx: ' && head -c 400000 /dev/zero | tr '\0' '['; } >inputs/deep.yaml
    refuses 2 "brackets" timeout 100 rasterwave predict inputs/deep.yaml
    { printf 'tx:\n' && i=0 && while [ $i -lt 20000 ]; do i=$((i + 1)) && printf -- '- "%d,100,300"\n' $((i % 190 + 5)); done; } >inputs/many.yaml
    refuses 2 "needs a\|no scene\|--scene" timeout 100 rasterwave predict inputs/many.yaml
fi
finish
