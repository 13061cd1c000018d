# labels: slow, numbers
# Every paper's page on a tiny scene: written, with its pictures, and no word of failure; bad calls get a sentence.
. "$2/tests/support/cli.sh"

for paper in shadow cubes beams tiles images; do
    rasterwave reproduce $paper --tiny --out pages >text 2>errors || fail "reproduce $paper: $(cat errors)"
    [ "$(cat text)" = pages/$paper.md ] || fail "reproduce $paper says: $(cat text)"
    grep -q "^# $paper" pages/$paper.md || fail "$paper.md has no title"
    grep -q '^| --- |' pages/$paper.md || fail "$paper.md has no table"
    for picture in $(sed -n 's/^!\[.*\](\(.*\))$/\1/p' pages/$paper.md); do
        [ -s "pages/$picture" ] || fail "$paper.md names $picture, which is not there"
    done
    grep -q '^| code | `[0-9a-f]\{12\}`' pages/$paper.md || fail "$paper.md does not state the code that it was made with"
    grep -q '^## What the paper has' pages/$paper.md || fail "$paper.md has no list of figures and tables"
    grep -q "^rasterwave: $paper: " errors || fail "reproduce $paper prints no steps: $(cat errors)"
    [ "$(sort errors | grep -c warning)" = "$(sort -u errors | grep -c warning)" ] || fail "$paper: a warning twice"
done
# Synthetic values are called synthetic, and no accuracy of the paper is next to them.
[ -s pages/shadow_synthetic_a.csv ] || fail "no synthetic route: $(ls pages)"
for paper in shadow beams tiles; do
    grep -q '^\*\*Synthetic values' pages/$paper.md || fail "$paper.md does not call its values synthetic"
    ! grep -iE '(measured|METRO20[0-2]) and predicted' pages/$paper.md || fail "$paper.md calls synthetic values measured"
done
! grep -E '4\.5 dB|6\.2 / 5\.9' pages/shadow.md || fail "shadow.md has the paper's accuracy next to synthetic values"
! grep -F '6.18 dB' pages/beams.md || fail "beams.md has the paper's accuracy next to synthetic values"
! grep -F '8.8' pages/tiles.md | grep -F 'interactions' || fail "tiles.md has the paper's errors next to synthetic values"
# The hash in a page is that of the tree.
if [ -e "$2/.git" ]; then
    hash=$(cmake -DSOURCE="$2" -P "$2/cmake/code_hash.cmake")
    grep -q "^| code | .$hash." pages/shadow.md || fail "the page has another hash than the tree: $hash"
fi
# A measurement over the limit is cancelled and printed as such; the page is complete.
rasterwave reproduce images --limit 1 --tiny --out limited >text 2>errors || fail "--limit: $(cat errors)"
rasterwave reproduce shadow --tiny --out pages --json >answer.json 2>errors || fail "$(cat errors)"
"$json_check" file version <answer.json || fail "reproduce --json"

refuses 2 'there is no paper' rasterwave reproduce unknown --out pages
refuses 2 'needs the name of a paper' rasterwave reproduce --out pages
refuses 2 'needs --out' rasterwave reproduce shadow
refuses 2 'more than 0' rasterwave reproduce shadow --limit 0 --out pages
mkdir -p some/munich
printf 'x,y,path_loss\n1,1,100\n' >some/munich/METRO200.csv
if [ -n "${RASTERWAVE_DATA:-}" ] && [ -e "$RASTERWAVE_DATA/munich/Munich_buildings.res" ]; then
    cp "$RASTERWAVE_DATA/munich/Munich_buildings.res" some/munich/
    refuses 2 'are needed together' rasterwave reproduce cubes --data some --limit 1 --out some_pages
fi
refuses 2 'cannot be read: No such file' rasterwave reproduce shadow --data nowhere --out pages
finish
