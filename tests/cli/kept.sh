# rasterwave info on files of kept paths; what is damaged, of an earlier version or of another scene is refused.
. "$2/tests/support/cli.sh"

scene=city:european:seed=1:size=200m,200m
predict="rasterwave predict --scene $scene --tx 100,100,30 --res 20 --quiet"
$predict --model beams --reflections 1 --reuse kept.rwbeams --out first 2>errors || fail "beams: $(cat errors)"
$predict --model tiles --depth 1 --cells exact --reuse kept.rwrays --out second 2>errors || fail "tiles: $(cat errors)"
rasterwave preprocess --scene $scene --res 20 --out city.rwdb --quiet || fail "preprocess"

for file in kept.rwbeams kept.rwrays city.rwdb; do
    rasterwave info $file >text || fail "info $file"
    grep -q '^format     ' text && grep -q '^scene      [0-9a-f]*$' text && grep -q '^section    subject: 1 elements' text ||
        fail "info $file says: $(cat text)"
    grep '^scene' text >>scenes
done
[ "$(sort -u scenes | wc -l)" = 1 ] || fail "several identities of one scene: $(cat scenes)"
rasterwave info kept.rwbeams | grep -q '^kept       kept.rwbeams, .* MB, of model beams' || fail "info on beams"
rasterwave info kept.rwrays | grep -q '^format     kept rays, version' || fail "info on rays"
rasterwave info kept.rwrays >text
grep -q '^rays       [0-9]* of 1 transmitter: [0-9]* to tiles, [0-9]* to points' text && grep -q '^length     .* with 0, .* with 1 int' text &&
    grep -q '^limits     depth 1, .* down to 190 dB at 947 MHz' text || fail "info on rays says: $(cat text)"
rasterwave info kept.rwrays --json >said || fail "info --json on rays"
"$json_check" kind rays.count rays.to_tiles rays.to_points rays.by_interactions.1 rays.loss_db <said || fail "JSON of rays: $(cat said)"
rasterwave info kept.rwbeams --json >said || fail "info --json"
"$json_check" kind model format made_by scene sections.0.name bytes <said || fail "JSON of info: $(cat said)"
[ -z "$(rasterwave info kept.rwrays --quiet)" ] || fail "--quiet is not quiet"

head -c 1000 kept.rwbeams >cut.rwbeams
refuses 2 'cut short' rasterwave info cut.rwbeams
refuses 2 'cut short' $predict --model beams --reflections 1 --reuse cut.rwbeams --out never
printf 'RWBEAMS1 and what was behind it' >old.rwbeams
refuses 2 'earlier version' rasterwave info old.rwbeams
refuses 2 'earlier version' $predict --model beams --reflections 1 --reuse old.rwbeams --out never
refuses 2 "is of the kind 'kept beams', not 'kept rays'" $predict --model tiles --depth 1 --reuse kept.rwbeams --out never
refuses 2 'another scene' rasterwave predict --scene city:european:seed=2:size=200m,200m --tx 100,100,30 --res 20 \
    --model beams --reflections 1 --reuse kept.rwbeams --out never
finish
