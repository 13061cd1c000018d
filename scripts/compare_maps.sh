#!/bin/sh
# Compares the maps of two builds byte by byte: all models on three scenes, each on the CPU with two threads.
# Usage: scripts/compare_maps.sh OLD_PROGRAM NEW_PROGRAM [BACKEND]
# Prints one line for each model and scene, with the largest difference of each layer that differs, and fails where any does.
set -eu
[ $# -ge 2 ] || {
    sed -n '2,4s/^# //p' "$0" >&2
    exit 2
}
old=$1
new=$2
backend=${3:-cpu}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# describe_difference LAYER: how far the layer of both folders differs, by the new program.
describe_difference()
{
    "$new" compare "$folder/$name-old" "$folder/$name-new" --layer "$1" >"$folder/compared.txt" 2>&1 &&
        sed -n 's/^difference: \(.*\)$/\1/p; s/^another class in \(.*\)$/another class in \1/p' "$folder/compared.txt" | head -n 1 ||
        head -n 1 "$folder/compared.txt"
}

# compare NAME OPTIONS...: the same prediction by both programs.
compare()
{
    name=$1
    shift
    "$old" predict "$@" --backend "$backend" --threads 2 --quiet --out "$folder/$name-old" >"$folder/old.txt" 2>&1 || {
        echo "$name: the old program fails: $(tail -n 1 "$folder/old.txt")"
        failed=1
        return
    }
    "$new" predict "$@" --backend "$backend" --threads 2 --quiet --out "$folder/$name-new" >"$folder/new.txt" 2>&1 || {
        echo "$name: the new program fails: $(tail -n 1 "$folder/new.txt")"
        failed=1
        return
    }
    layers=0
    different=
    for map in "$folder/$name-old"/*.tif "$folder/$name-old"/*.bin; do
        [ -f "$map" ] || continue
        layers=$((layers + 1))
        cmp -s "$map" "$folder/$name-new/$(basename "$map")" || different="$different $(basename "$map")"
    done
    if [ "$layers" = 0 ] || [ -n "$different" ]; then
        echo "$name: DIFFERENT:${different:- no layers}"
        for map in $different; do
            echo "    ${map%.*}: $(describe_difference "${map%.*}")"
        done
        failed=1
    else
        echo "$name: $layers layers, the same bytes"
    fi
    rm -rf "$folder/$name-old" "$folder/$name-new"
}

flat="--scene city:european:seed=3:size=400m,400m --tx 190.4,200.3,12,a --tx 90,310,30,b --freq 947MHz"
hills="--scene city:european:seed=5:size=400m,400m:hills --tx 190.4,200.3,25,a --tx 90,310,30,b --freq 2GHz"
office="--scene office:seed=2:size=20m,12m --tx 6,4,2,a --tx 15,9,2.5,b --freq 2.4GHz"

for scene in flat hills; do
    eval "place=\$$scene"
    compare "$scene-shadow" $place --res 5 --layers los,walls,path_loss,mechanism,deflections,power,best,ci
    compare "$scene-shadow-counted" $place --res 5 --effects streets,roofs_counted,walls
    compare "$scene-beams" $place --res 5 --model beams --reflections 3 --diffractions 1 --delay-bins 32,50ns
    compare "$scene-cubes" $place --res 5 --model cubes
    compare "$scene-tiles" $place --res 10 --model tiles --cells nearest
    compare "$scene-tiles-exact" $place --res 20 --model tiles --cells exact --reflections 2
done
compare flat-rt --scene city:european:seed=3:size=150m,150m --tx 70,80,20 --freq 947MHz --model rt --res 25 --reflections 1 \
    --diffractions 1 --scatterings 0
compare office-images $office --model images --depth 3 --pixels 256
compare office-sbr $office --model sbr --depth 3 --rays 64
compare office-shadow $office --res 1 --effects walls
compare office-cubes $office --model cubes --res 1

exit $failed
