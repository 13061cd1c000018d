# Walls of metal let nothing through: no path of infinite loss, no delay of what is not there, and measurements behind them
# are counted as not reached.
# Usage: metal.sh PROGRAM SOURCE_DIR
. "$2/tests/support/cli.sh"

cat >walls.csv <<END
x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m,slab
0,0,20,0,0,3,brick
0,10,20,10,0,3,brick
8,3,8,7,0,3,plate
END
cat >slabs.csv <<END
slab,layer,material,thickness_m
plate,1,itu_metal,0.002
brick,1,itu_brick,0.1
END

# 10 m apart, the plate between them: 33.4 ns of air, and nothing later than two reflections can be.
rasterwave paths --model images --scene walls.csv --tx 3,5,1.5 --at 13,5,1.5 --freq 2GHz --depth 3 --json >said 2>errors ||
    fail "images: $(cat errors)"
grep -qE ': *-?(null|inf|nan)' said && fail "images: no numbers in $(cat said)"
grep -q '"delay_s"' said || fail "images: no path round the plate"
grep -oE '"delay_s": *[0-9.e+-]+' said | awk '{ if (!($NF + 0 > 33.3e-9 && $NF + 0 < 150e-9)) exit 1 }' ||
    fail "images: delays $(grep -oE '"delay_s": *[0-9.e+-]+' said)"
if has_library hdf5; then
    rasterwave paths --model images --scene walls.csv --tx 3,5,1.5 --at 13,5,1.5 --freq 2GHz --depth 3 --out way.h5 --quiet ||
        fail "images: HDF5"
fi
# sbr gives maps and no paths: every cell behind the plate has a value, between free space and 60 dB more.
rasterwave predict --model sbr --scene walls.csv --tx 3,5,1.5 --freq 2GHz --depth 3 --area 12,4,14,6 --res 0.5 \
    --layers path_loss,delay_spread --out sbr --json --quiet >said 2>errors || fail "sbr: $(cat errors)"
grep -qE ': *-?(null|inf|nan)' said && fail "sbr: no numbers in $(cat said)"
for value in 12.25,4.25 13.25,5.25; do
    loss=$(rasterwave info sbr/path_loss.tif --at "$value" 2>errors || rasterwave info sbr/path_loss.bin --at "$value")
    echo "$loss" | grep -oE '[0-9.]+ dB' | awk '{ if (!($1 > 55 && $1 < 120)) exit 1; found = 1 } END { if (!found) exit 1 }' ||
        fail "sbr: at $value: $loss"
done

# A closed box of metal: nothing reaches its inside, and that is no mistake.
cat >walls.csv <<END
x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m,slab
10,2,16,2,-50,50,plate
16,2,16,8,-50,50,plate
16,8,10,8,-50,50,plate
10,8,10,2,-50,50,plate
0,0,20,0,0,3,brick
END
printf 'x,y,z,path_loss\n13,5,1.5,100\n4,8,1.5,60\n18,5,1.5,70\n5,3,1.5,60\n' >measured.csv
rasterwave evaluate --model images --depth 3 --freq 2GHz --scene walls.csv --tx 3,5,1.5 --measurements measured.csv --json >said \
    2>errors || fail "evaluate: status $?: $(cat errors)"
grep -qE ': *-?(nan|inf)' said && fail "evaluate: NaN or infinity in $(cat said)"
"$json_check" prediction.rmse_db <said 2>/dev/null || grep -q rmse said || fail "evaluate: $(cat said)"
finish
