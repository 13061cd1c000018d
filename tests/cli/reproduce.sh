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
done
rasterwave reproduce shadow --tiny --out pages --json >answer.json 2>errors || fail "$(cat errors)"
"$json_check" file version <answer.json || fail "reproduce --json"

refuses 2 'there is no paper' rasterwave reproduce unknown --out pages
refuses 2 'needs the name of a paper' rasterwave reproduce --out pages
refuses 2 'needs --out' rasterwave reproduce shadow
refuses 2 'more than 0' rasterwave reproduce shadow --limit 0 --out pages
refuses 2 'cannot be read: No such file' rasterwave reproduce shadow --data nowhere --out pages
