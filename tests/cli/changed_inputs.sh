# Every input of a command, edited with the same size and time of modification, before a second run and before the second shard: the run
# is rejected or computed again, never mixed; and what other machines compute with.
. "$2/tests/support/cli.sh"
has_library gdal || finish
rasterwave generate city --size 300m,300m --style grid --out town.gpkg --quiet || fail "town"
cat >sites.csv <<'END'
name,x,y,height,azimuth,power,antenna
a,60,60,40,0,40,panel.msi
b,240,60,40,90,41,panel.msi
c,60,240,40,180,40,panel.msi
END
{
    printf 'NAME panel\nFREQUENCY 947\nGAIN 15 dBi\nHORIZONTAL 360\n'
    awk 'BEGIN { for (i = 0; i < 360; i++) printf "%d %.1f\n", i, (i > 180 ? 360 - i : i) / 9 }'
    printf 'VERTICAL 360\n'
    awk 'BEGIN { for (i = 0; i < 360; i++) printf "%d %.1f\n", i, (i > 180 ? 360 - i : i) / 6 }'
} >panel.msi
printf 'name,thickness,permittivity,conductivity\nbrick,0.2,3.91,0.02\n' >materials.csv
printf '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"height":12},"geometry":{"type":"Polygon","coordinates":[[[100,100],[200,100],[200,140],[100,100]]]}}]}\n' >foliage.geojson
printf '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,290],[0,290],[0,0]]]}}]}\n' >area.geojson
printf 'ncols 4\nnrows 4\nxllcorner -50\nyllcorner -50\ncellsize 100\n%s\n%s\n%s\n%s\n' '10 11 12 13' '11 12 13 14' '12 13 14 15' '13 14 15 16' >terrain.asc

# edit FILE FROM TO: one text of the file by another as long, with the old time of modification; the old file is in FILE.old.
edit()
{
    cp -p "$1" "$1.old"
    python3 - "$@" <<'END'
import sys
path, old, new = sys.argv[1:4]
content = open(path, "rb").read()
assert len(old) == len(new) and old.encode() in content, (path, old)
with open(path, "r+b") as file:
    file.seek(content.rindex(old.encode()))
    file.write(new.encode())
END
    touch -r "$1.old" "$1"
}
restore() { mv "$1.old" "$1"; }

# rejected NAME: the second shard, and the whole run again, after an edit.
rejected()
{
    refuses 2 'of another run: the content of its files' $run --shard 2/2 --out "$folder"
    refuses 2 'of another run: the content of its files' $run --out "$folder" || fail "$1"
}

whole="rasterwave network --scene town.gpkg --sites sites.csv --terrain terrain.asc --materials materials.csv --foliage foliage.geojson --res 20 --radius 250 --group-sites 1 --threads 1 --layers strongest --quiet"
blocks="$whole --by-blocks --area 0,0,300,300 --block-cells 16"
whole="$whole --area area.geojson"
for run in "$whole" "$blocks"; do
    folder=net$(echo "$run" | wc -w)
    $run --shard 1/2 --out $folder || fail "shard 1 of 2"
    [ ! -e town.gpkg.aux.xml ] || fail "a scene that is read gets a file next to it"
    sleep 0.01
    for change in "panel.msi|15 dBi|12 dBi" "materials.csv|3.91|5.91" "foliage.geojson|12}|29}" "terrain.asc|14 15 16|14 15 99" "sites.csv|,41,|,44," "area.geojson|[300,290]|[200,290]"; do
        file=${change%%|*}
        case "$file $run" in "area.geojson "*by-blocks*) continue ;; esac
        texts=${change#*|}
        edit "$file" "${texts%|*}" "${texts#*|}"
        rejected "$file"
        restore "$file"
    done
    python3 - town.gpkg <<'END'
import os, shutil, sqlite3, sys
os.system("cp -p town.gpkg town.gpkg.old")
base = sqlite3.connect("town.gpkg")
table = base.execute("select table_name from gpkg_contents where data_type = 'features' limit 1").fetchone()[0]
column = [row[1] for row in base.execute(f'pragma table_info("{table}")') if "height" in row[1]][0]
for trigger, in base.execute("select name from sqlite_master where type = 'trigger'").fetchall():
    base.execute(f'drop trigger "{trigger}"')
base.execute(f'update "{table}" set "{column}" = "{column}" + 1')
base.commit()
base.close()
END
    touch -r town.gpkg.old town.gpkg
    rejected town.gpkg
    restore town.gpkg
    $run --shard 2/2 --out $folder && rasterwave merge $folder --quiet || fail "the same content under its old name"
done

# Two antennas that exchange their contents; --range-level is not ignored, nor given twice.
sed 's/15 dBi/12 dBi/' panel.msi >other.msi
sed 's/41,panel/41,other/' sites.csv >mixed.csv
run="rasterwave network --scene town.gpkg --sites mixed.csv --res 20 --radius 250 --group-sites 1 --threads 1 --layers strongest --quiet"
folder=mixed
$run --shard 1/2 --out $folder || fail "shard 1 of 2 with two antennas"
mv panel.msi third.msi && mv other.msi panel.msi && mv third.msi other.msi
rejected "two antennas that exchange their contents"
mv panel.msi third.msi && mv other.msi panel.msi && mv third.msi other.msi
$run --shard 2/2 --out $folder || fail "the antennas as they were"
refuses 2 'give one' $run --range-level -60dBm --level -70dBm --out never

# Another instruction set is rejected by the name of the setting that makes shards equal.
if ! $whole --dry-run --json --out none | grep -q '"machine": ".*baseline"'; then
    export RASTERWAVE_ISA=baseline
    refuses 2 'set RASTERWAVE_ISA=baseline in the environment of all shards' $whole --out "net$(echo "$whole" | wc -w)"
fi
# Every input of every command, by the table of options.
mkdir all && python3 "$source_dir/tests/cli/changed_inputs.py" "$program" "$PWD/all" >all.txt 2>&1 || fail "$(cat all.txt)"
finish
