# Walks the table of options: what names a file is typed as a path, and a project file that others have made reads and writes only
# below its own folder by every one of them.
. "$2/tests/support/cli.sh"
if ! has_library cyaml || ! command -v python3 >/dev/null; then
    echo "SKIPPED: option_types (needs libcyaml and python3)"
    exit 77
fi
rasterwave help options --json >table.json || fail "help options --json"
mkdir work outside
echo 'a file of others' >outside/file
python3 - "$program" <<'END' || fail "a project names a file outside of its folder"
import json, subprocess, sys
program = sys.argv[1]
paths = {"a path to read", "a path to write", "a list of paths to read"}
failed = walked = 0

def run(command, key, value):
    with open("work/project.yaml", "w") as file:
        file.write(f"command: {command}\n{key}: {value}\n")
    return subprocess.run([program, "project.yaml"], cwd="work", capture_output=True, text=True, timeout=60)

for command in json.load(open("table.json"))["commands"]:
    keys = [(o["name"], o["type"], o["value"]) for o in command["options"]]
    if command["input"] and command["options"]:
        keys.append(("input", "a path to read" if command["input_is_path"] else "a text", ""))
    for name, kind, value in keys:
        walked += 1
        if any(word in value for word in ("FILE", "DIR", "PATH", "PLAN")) and kind not in paths:
            print(f"{command['name']} --{name} {value} is {kind}")
            failed = 1
        if kind not in paths:
            continue
        done = run(command["name"], name, "../outside/file")
        if done.returncode != 2 or "outside of its folder" not in done.stderr:
            print(f"{command['name']} {name}: status {done.returncode}: {done.stderr.strip()}")
            failed = 1
assert walked > 300, walked
sys.exit(failed)
END
[ "$(cat outside/file)" = 'a file of others' ] && [ "$(ls outside)" = file ] || fail "a project wrote outside of its folder"

# A link out of the folder, alone, with a layer and inside a list; a value with a line end is a table of sites and nothing else.
ln -s ../outside/file work/link
for line in 'scene: link' 'scene: link:layer' 'area: link' 'sites: link' 'terrain: ../outside/file:layer' 'tiles: ../outside/new'; do
    printf 'command: predict\n%s\n' "$line" >work/p.yaml
    (cd work && refuses 2 'outside of its folder' rasterwave p.yaml && [ $failures = 0 ]) || fail "$line"
done
printf 'command: plan\nantennas: [3gpp, link]\n' >work/p.yaml
(cd work && refuses 2 'names link, which is outside of its folder' rasterwave p.yaml && [ $failures = 0 ]) || fail "antennas"

# Paths are relative to the project, words are not paths, one value is not a list.
mkdir deep
cat >deep/p.yaml <<'END'
command: predict
scene: city:grid:size=200m,200m
terrain: flat
tx: ["100,100,60"]
model: beams
rx-antenna: dipole
res: 50
layers: [path_loss, power]
area: [0, 0, 200, 200]
out: map
quiet: true
END
rasterwave deep/p.yaml && [ -s deep/map/manifest.txt ] || fail "a project in another folder"
printf 'name,x,y,height\na,100,100,60\n' >deep/sites.csv
sed 's/^tx:.*/sites: sites.csv/; s/^area:.*/area: zone.geojson/' deep/p.yaml >deep/zone.yaml
if has_library gdal; then
    printf '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[100,0],[100,200],[0,200],[0,0]]]}}]}\n' >deep/zone.geojson
    rasterwave deep/zone.yaml || fail "an area next to its project"
fi
printf 'command: predict\nscene: [a, b]\n' >list.yaml
refuses 2 'scene: one value is expected, not a list' rasterwave list.yaml
finish
