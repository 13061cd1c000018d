#!/bin/sh
# Prints one hash per command for 40 commands over all models on the CPU: maps (values, without their metadata), paths, JSON, tables, pictures
# and help. Two builds that print the same lines give the same results. Databases and the chunks of a network (.rwdb, parts/) name the
# version: they are the same only for builds of one commit.
# Usage: scripts/result_hashes.sh PROGRAM >hashes.txt; then diff two of them
set -eu
[ $# = 1 ] || {
    sed -n '2,5s/^# //p' "$0" >&2
    exit 2
}
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Version, commit, times, memory and the machine change from run to run.
without_run()
{
    sed -E -e 's/"?(version|machine|peak_memory_bytes|seconds|load|prepare|solve|reduce|write|merge|predict|search|evaluate|total)"?: *("[^"]*"|[-0-9.e+]+),?//g' \
        -e 's/rasterwave [0-9.]+ \([0-9a-f]+[^)]*\)//g' -e 's/identity: [0-9a-f]{64}//g' -e 's/[0-9.]+ (s|ms|MB|GB)\b//g'
}

# The values of a raster, or the bytes of any other file.
hash_file()
{
    case $1 in
    *.tif | *.png) gdal_translate -q -of ENVI "$1" "$folder/values.bin" && cat "$folder/values.bin" ;;
    *.gpkg) ogr2ogr -f CSV /vsistdout/ "$1" -lco GEOMETRY=AS_WKT 2>/dev/null || ogrinfo -q -al "$1" ;;
    *.h5 | *.db | *.rwdb | *.bin) cat "$1" ;;
    *.html) without_run <"$1" | sed 's/base64,[^"]*//g' ;; # pictures name the version, and are files of their own
    *) without_run <"$1" ;;
    esac | sha256sum | cut -c1-16
}

# hash NAME COMMAND...: runs the command in a folder of its own and prints the hash of its output and of every file in it.
hash()
{
    name=$1
    shift
    mkdir -p "$folder/$name"
    (cd "$folder/$name" && "$program" "$@" >"$folder/text" 2>"$folder/messages" || echo "status $?" >>"$folder/messages")
    printf '%s output %s messages %s\n' "$name" "$(without_run <"$folder/text" | sha256sum | cut -c1-16)" \
        "$(without_run <"$folder/messages" | sha256sum | cut -c1-16)"
    (cd "$folder/$name" && find . -type f | LC_ALL=C sort) | while read -r file; do
        printf '%s %s %s\n' "$name" "$file" "$(hash_file "$folder/$name/$file")"
    done
}

city="--scene city:european:size=300m,300m:seed=1 --tx 150,145,13 --freq 2GHz --threads 2 --backend cpu"
hills="--scene city:european:hills:size=300m,300m:seed=2 --tx 150,150,25 --freq 850MHz --threads 2 --backend cpu"
office="--scene office --tx 5,5,2 --freq 5.2GHz --threads 2 --backend cpu"
points="--at 53,207 --at 82,92 --at 250,40"

for model in shadow beams cubes tiles; do
    hash "map_$model" predict $city --model $model --json --out out
    hash "hills_$model" predict $hills --model $model --json --out out
    hash "paths_$model" paths $city --model $model $points --json --out paths.geojson
done
for model in images rt; do
    hash "map_$model" predict $office --model $model --res 1 --json --out out
    hash "paths_$model" paths $office --model $model --at 11,5 --at 20,8 --json --out paths.json
done
hash map_sbr predict $office --model sbr --res 1 --json --out out
hash map_effects predict $city --effects streets,roofs --prior none --layers path_loss,mechanism,walls,los --out out --json
hash map_ensemble predict $city --layers path_loss,sigma --out out --json
hash map_network_layers predict $city --tx 60,60,20 --layers path_loss,power,best,sinr,throughput --out out --json --report report.html
hash map_indoor predict $city --indoor p2109 --layers path_loss,indoor --out out --json
hash map_tiles predict $city --model tiles --tiles tiles.gpkg --out out --json
hash paths_text paths $city $points
hash paths_depth paths $office --model images --depth 2 --at 20,8 --json
hash database preprocess --scene city:european:size=300m,300m:seed=1 --model shadow --out city.rwdb --json
"$program" predict $city --layers path_loss,power --out map --quiet >"$folder/text"
cat >"$folder/route.csv" <<'CSV'
x,y,path_loss
20,30,110
60,90,121
120,100,104
180,180,98
210,205,113
240,60,117
270,270,128
140,130,80
155,160,84
90,200,119
CSV
cat >"$folder/sites.csv" <<'CSV'
name,x,y,height,azimuth,tilt,antenna,power
a,100,100,35,0,4,3gpp,43
b,200,200,35,120,4,3gpp,43
c,210,80,35,240,4,3gpp,40
CSV
hash evaluate_map evaluate --map "../map/path_loss.tif" --measurements ../route.csv --out out --json
hash evaluate_model evaluate $city --measurements ../route.csv --out out --json
hash calibrate calibrate $city --measurements ../route.csv --folds 0 --fit offset --out parameters.json --json
hash statistics statistics ../map --layer power --level -80 --json
hash polygons polygons ../map --layer power --levels -100,-80,-60 --out areas.geojson --json
hash compare compare "../map/path_loss.tif" "../map/path_loss.tif" --json
hash render render "../map/path_loss.tif" --out map.png
hash network network --scene city:european:size=300m,300m:seed=1 --sites ../sites.csv --freq 2GHz --backend cpu --threads 2 --out net --json
hash plan plan --scene city:european:size=300m,300m:seed=1 --candidates ../sites.csv --freq 2GHz --level -70 --max-sites 2 --backend cpu --threads 2 --out plan --json
hash generate generate city --style european --size 200m,200m --seed 3 --out city.geojson --json
hash info info --scene city:european:size=300m,300m:seed=1 --json
hash calc calc free-space --freq 2GHz --distance 1km
hash help help options all
for command in predict paths network plan evaluate calibrate; do
    hash "help_$command" "$command" --help
done
