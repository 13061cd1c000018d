# Ranges of transmitters, and networks in chunks: equal to one prediction, the same bytes however they are cut; bad tables.
. "$2/tests/support/cli.sh"
has_library gdal || finish
scene=city:grid:size=500m,500m
cat >sites.csv <<'END'
name,x,y,height,azimuth,tilt,power,antenna,channel,radius,load
a-1,100,100,60,0,6,40,3gpp,,,0.5
a-2,100,100,60,120,6,40,3gpp,,,
a-3,100,100,25,240,6,40,3gpp,2,,
b,400,380,60,0,0,30,dipole,,150,
beside,-40,250,30,90,0,40,3gpp,,,0.2
END
all=best,strongest,second,second_strongest,servers,total,ci,rsrp,interference,noise,sinr,throughput
network="rasterwave network --scene $scene --sites sites.csv --res 10 --radius 300 --level -110 --quiet"

# same MAP MAP: no cell differs, and none is in one alone.
same()
{
    rasterwave compare "$1" "$2" --above 0.001 >said || fail "compare $1 $2"
    grep -q ' 0 in the first alone, 0 in the second alone' said && grep -q 'largest 0 \|another class in 0 cells' said || fail "$1 is not $2: $(cat said)"
}

# Cells within the range have the values of the whole map, and others none.
rasterwave predict --scene $scene --tx 250,250,20 --res 10 --layers power --quiet --out whole || fail "predict"
rasterwave predict --scene $scene --tx 250,250,20 --res 10 --layers power --radius 120 --quiet --out near || fail "predict --radius"
rasterwave compare near/power.tif whole/power.tif --above 0.001 >said
grep -q ' 0 in the first alone' said && grep -q 'largest 0 ' said || fail "within the radius: $(cat said)"
grep -q ' 0 in the second alone' said && fail "nothing is left out beyond the radius"
refuses 2 'radius' rasterwave predict --scene $scene --tx 250,250,20 --radius 0 --out never
refuses 2 'within the range' rasterwave predict --scene $scene --tx 250,250,20 --radius 2 --area 0,0,50,50 --out never
printf 'x,y,height,radius\n250,250,20,-3\n' >bad.csv
refuses 2 'line 2: the radius' rasterwave predict --scene $scene --sites bad.csv --out never

# Streets that are looked at only within a range bring what those of the whole map do: 0.1 dB on 99.9 % of the cells.
for height in 8 35; do
    street="rasterwave predict --scene city:european:seed=3:size=1200m,1200m --tx 580,590,$height --res 12 --layers path_loss --quiet"
    $street --out all-streets && $street --radius 330 --out near-streets || fail "streets within a range"
    rasterwave compare near-streets/path_loss.tif all-streets/path_loss.tif --above 0.1 >said
    grep -q ' 0 in the first alone' said && awk '/above 0.1/ { good = $4 <= 0.1 } END { exit !good }' said || fail "streets within a range: $(cat said)"
done

# No cell above the level is lost, by any model.
for model in shadow cubes rt; do
    predict="rasterwave predict --scene city:grid:size=220m,220m --tx 110,110,12 --res 20 --freq 26GHz --model $model --layers power --quiet"
    $predict --out m1 && $predict --range-level -40dBm --out m2 || fail "$model with a level"
    rasterwave compare m2/power.tif m1/power.tif --above 0.001 >said
    grep -q ' 0 in the first alone' said && grep -q 'largest 0 ' said || fail "$model within the range: $(cat said)"
    rasterwave statistics m1 --layer power --level -40 --json >covered1 && rasterwave statistics m2 --layer power --level -40 --json >covered2
    covered() { sed -n 's/.*"covered_cells": \([0-9]*\).*/\1/p; s/.*"covered": \([0-9]*\).*/\1/p' "$1" | head -1; }
    [ "$(covered covered1)" = "$(covered covered2)" ] || fail "$model: cells above the level: $(cat covered1 covered2)"
done

# One piece, and one prediction.
$network --layers $all --out one || fail "network"
rasterwave predict --scene $scene --sites sites.csv --res 10 --radius 300 --range-level -110 --layers best,strongest,ci,sinr,rsrp,interference \
    --quiet --out predicted 2>/dev/null || fail "predict with ranges"
for layer in best strongest ci sinr rsrp interference; do
    same one/$layer.tif predicted/$layer.tif
done

# With every model, antennas of transmitters and receivers count as in a prediction, and in a plan.
printf 'name,x,y,height,azimuth,tilt,power,antenna\nm,110,110,12,60,6,40,3gpp\nn,110,70,12,180,6,40,dipole\n' >turned.csv
printf 'name,x,y,height,power,antenna\nm,110,110,12,40,isotropic\n' >candidate.csv
for model in beams cubes; do
    rx='--rx-antenna dipole'
    [ $model = beams ] || rx=
    options="--scene city:grid:size=220m,220m --res 20 --model $model $rx --quiet"
    rasterwave predict $options --sites turned.csv --layers strongest --out antennas/$model 2>/dev/null &&
        rasterwave network $options --sites turned.csv --layers strongest --out antennas/$model-network 2>/dev/null || fail "antennas with $model"
    same antennas/$model/strongest.tif antennas/$model-network/strongest.tif
done
rasterwave plan --scene city:grid:size=220m,220m --res 20 --model beams --rx-antenna dipole --candidates candidate.csv --level -55 --out planned \
    --json >said 2>/dev/null || fail "plan with beams"
awk -F'[:,]' '/"rms_db"/ { good = $2 <= 0.05 } END { exit !good }' said || fail "powers of a plan by beams are not those predicted: $(grep rms_db said)"

# Any number of chunks and shards gives the same bytes.
for shard in 2 3 1; do
    $network --group-sites 1 --shard $shard/3 --out three || fail "shard $shard"
done
rasterwave merge three --layers $all --quiet || fail "merge"
for layer in $(echo $all | tr , ' '); do
    cmp one/$layer.tif three/$layer.tif || fail "$layer of three shards"
done

# Blocks: a virtual raster over them, 16-bit rasters, and a raster for each site.
$network --block-cells 32 --per-site --layers best,strongest --out blocks || fail "blocks"
[ -s blocks/strongest.vrt ] && [ -s blocks/blocks/best-4.tif ] || fail "rasters of blocks: $(ls -R blocks)"
[ -s blocks/sites/1-a-1-block1.tif ] || fail "rasters of sites: $(ls blocks/sites)"
if command -v gdal_translate >/dev/null; then
    gdal_translate -q blocks/strongest.vrt joined.tif && same joined.tif one/strongest.tif
    # Our own tools read the blocks as one map.
    rasterwave compare blocks one --layer strongest >said 2>errors || fail "compare of a region: $(cat errors)"
    grep -q '^difference: mean 0 dB, RMS 0 dB' said || fail "a region differs: $(cat said)"
    rasterwave statistics blocks --layer strongest --level -80 >region.txt && rasterwave statistics one --layer strongest --level -80 >whole.txt &&
        cmp -s region.txt whole.txt || fail "statistics of a region: $(cat region.txt)"
    rasterwave polygons blocks --layer best --out best.gpkg >/dev/null && [ -s best.gpkg ] || fail "polygons of a region"
    rasterwave info blocks/strongest.vrt | grep -q ' strongest: ' || fail "info of a region"
    # Lists that name other files are not opened.
    cp blocks/strongest.vrt blocks/blocks/list.tif
    for change in 's|blocks/strongest-1.tif|/etc/passwd|' 's|blocks/strongest-1|blocks/../../x|' 's|<VRTRasterBand |&subClass="VRTDerivedRasterBand" |'; do
        sed "$change" blocks/strongest.vrt >blocks/other.vrt
        rasterwave info blocks/other.vrt >/dev/null 2>&1 && fail "$change is read"
        rasterwave statistics blocks/other.vrt 2>&1 | grep -q 'not the list of blocks' || fail "$change: no reason"
    done
    sed 's|blocks/strongest-1|blocks/list|' blocks/strongest.vrt >blocks/other.vrt
    rasterwave statistics blocks/other.vrt 2>&1 | grep -q 'missing or not a GeoTIFF' || fail "a block that is a list"
    rm blocks/other.vrt blocks/blocks/list.tif
    gdalinfo blocks/strongest.vrt | grep -q 'Overviews: 25x25' || fail "the virtual raster has no overviews: $(gdalinfo blocks/strongest.vrt)"
    gdalinfo one/sinr.tif | grep -q 'LAYOUT=COG' || fail "no cloud-optimised GeoTIFF"
fi
rasterwave merge one --layers strongest --centi-db --quiet || fail "merge --centi-db"
rasterwave compare one/strongest.tif three/strongest.tif --above 0.006 >said
grep -q 'above 0.006 dB: 0 %' said || fail "hundredths of a decibel: $(cat said)"

# Scenes read block by block, some of which have no building, are the scene in one piece.
rasterwave generate city --size 300m,300m --style grid --out town.gpkg --quiet || fail "town"
town="rasterwave network --scene town.gpkg --area 0,0,1200,300 --tx 150,140,40 --tx 320,150,8 --res 10 --radius 1km --layers strongest --quiet"
$town --out pieces/whole || fail "a region in one piece"
$town --by-blocks --block-cells 32 --out pieces/blocks || fail "a region by blocks"
if command -v gdal_translate >/dev/null; then
    gdal_translate -q pieces/blocks/strongest.vrt pieces/joined.tif
    rasterwave compare pieces/joined.tif pieces/whole/strongest.tif --above 0.1 >said
    grep -q 'above 0.1 dB: 0 %' said || fail "by blocks: $(cat said)"
fi

# Bad tables, bad calls, parts of another run.
sed '$a a-1 again,100,100,60,0,6,43,3gpp,,,' sites.csv >twice.csv
refuses 2 'a-1 and a-1 again are the same antenna' rasterwave network --scene $scene --sites twice.csv --out never
printf 'name,x,y,height,power\ninside,40,40,1,40\nnowhere,,,30,40\nright,250,250,80,40\n' >some.csv
some="rasterwave network --scene $scene --sites some.csv --res 20 --radius 200"
grep -v nowhere some.csv >inside.csv
refuses 2 'inside a building' rasterwave network --scene $scene --sites inside.csv --out never
refuses 2 'line 3' $some --out never
$some --skip-bad --out some >said 2>/dev/null || fail "bad sites are left out"
grep -q 'left out   2 sites' said && grep -q ' inside at .* is inside a building' said && grep -q 'nowhere\|line 3' said || fail "bad sites: $(cat said)"
refuses 2 'of another run' rasterwave network --scene $scene --sites sites.csv --res 20 --radius 300 --quiet --out one
refuses 2 'no parts of a network' rasterwave merge whole
refuses 2 'missing: block1-group2 (shard 2/3); run rasterwave network again, with those shards' \
    sh -c "cp -r three torn; rm torn/parts/block1-group2.part; rasterwave merge torn; status=\$?; rm -rf torn; exit \$status"
refuses 2 'such as 2/8' $network --shard 4/3 --out never
refuses 2 "there is no layer of a network 'snr'" $network --layers snr --out never
finish
