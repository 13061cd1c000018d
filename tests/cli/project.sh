# A project file in place of all options; options on the command line stand above it; mistakes in it are told.
. "$2/tests/support/cli.sh"

cat >project.yaml <<'YAML'
# A comment
command: predict
scene: city:grid:size=400m,400m
tx:
  - 100,100,200,west
  - 300,100,200,east
freq: 2GHz
layers: [path_loss, los]
area: [0, 0, 300, 400]
out: map
json: true
YAML
if ! has_library cyaml; then
    refuses 2 "reads no project files" rasterwave project.yaml
    [ "$failures" = 0 ] && echo "SKIPPED: project (this build has no libcyaml)" && exit 77
    finish
fi
rasterwave project.yaml >answer.json || fail "project.yaml"
"$json_check" layers.1.name <answer.json || fail "two layers"
tr -d '\n ' <answer.json | grep -q '"columns":60,"rows":80,"transmitters":2,' || fail "area and transmitters"
rasterwave predict project.yaml --res 10 | tr -d '\n ' | grep -q '"columns":30,"rows":40,' || fail "--res above the file"
rm -rf map

echo 'command: predict
scenne: x' >unknown.yaml
refuses 2 "unknown.yaml: Unexpected key: scenne" rasterwave unknown.yaml
echo 'command: predict
scene: "x' >broken.yaml
refuses 2 "broken.yaml: " rasterwave broken.yaml
echo 'command: predict
res: 5
res: 6' >twice.yaml
refuses 2 "already seen: res" rasterwave twice.yaml
echo 'command: predict
scene: [a, [b, c]]' >nested.yaml
refuses 2 "nested.yaml: " rasterwave nested.yaml
echo 'scene: x' >nameless.yaml
refuses 2 "names no command" rasterwave nameless.yaml
echo '# only a remark' >remark.yaml
refuses 2 "names no command" rasterwave remark.yaml
echo '"com\x6dand": dance' >escaped.yaml
refuses 2 "no command 'dance'" rasterwave escaped.yaml
echo 'command: dance' >dance.yaml
refuses 2 "no command 'dance'" rasterwave dance.yaml
refuses 2 "missing.yaml" rasterwave missing.yaml
finish
