# labels: documents
# A shared plan: one file that refers to nothing, with texts escaped, and only what was chosen. What its page shows is tested in a browser
# (src/serve/web/test/share.test.ts).
. "$2/tests/support/cli.sh"

refuses 2 'share needs a file to write' rasterwave share --scene city:grid:size=200m,200m --tx 100,100,20
refuses 2 'share needs a file to write' rasterwave share --scene city:grid:size=200m,200m --tx 100,100,20 --out plan.txt
if rasterwave share --scene city:grid:size=200m,200m --tx 100,100,20 --out plan.html --quiet 2>said.txt; then
    :
elif grep -q 'built without its page' said.txt; then
    echo "SKIPPED: share (built without its page)"
    exit 77
else
    fail "share: $(cat said.txt)"
    finish
fi

tx='150,150,30,<b>mast & "co"</b>'
rasterwave share --scene city:european:size=300m,300m --tx "$tx" --res 10 --layers path_loss,los --title '</script><script>alert(1)</script>' \
    --author "<img src=x onerror=alert(2)>" --out odd.html --json >report.json || fail "share"
grep -q 'Path loss in dB: 30 x 30 cells of 10 m' report.json || fail "the list of contents: $(cat report.json)"
for text in '<script>alert' '<img src=x' '<b>mast'; do
    ! grep -qF "$text" odd.html || fail "'$text' is not escaped"
done
[ "$(grep -o '<script' odd.html | wc -l)" = 2 ] || fail "there are other scripts than the content and the page's"
grep -q "default-src 'none'; script-src 'sha256-[A-Za-z0-9+/=]*'; style-src 'sha256-[A-Za-z0-9+/=]*'; img-src data: blob:" odd.html ||
    fail "no policy: $(grep -o 'Content-Security.\{200\}' odd.html)"
grep -q 'src="data:image/png;base64,' odd.html || fail "no picture"
grep -oE '(src|href|action)="[^"]{0,20}' odd.html | grep -v '="data:' && fail "it refers to other files"
grep -qF '&lt;img src=x' odd.html || fail "the author is not named"

# Without the scene there is no trace of it; otherwise there is.
rasterwave share --scene city:european:size=300m,300m --tx 150,150,30 --res 10 --without-scene --out bare.html --quiet || fail "--without-scene"
grep -q '"rings_of_parts"' odd.html || fail "the scene is not in the file"
! grep -q '"rings_of_parts"\|"path": \[' bare.html || fail "--without-scene has the scene"

# A project file for predict is accepted, without the options that say where its output goes.
if has_library cyaml; then
    printf 'command: predict\nscene: city:grid:size=200m,200m\ntx:\n  - 100,100,20,a\n  - 50,50,60,b\nfreq: 2GHz\nres: 10\nlayers: power\nout: elsewhere\nlevel: -90dBm\n' >plan.yaml
    rasterwave share plan.yaml --each-transmitter --out project.html >said.txt || fail "share PROJECT: $(cat said.txt)"
    [ ! -e elsewhere ] || fail "share writes the output of predict"
    for name in 'strongest of all' a b; do
        grep -q "Received power in dBm ($name): 20 x 20 cells" said.txt || fail "no map of $name: $(cat said.txt)"
    done
    # An option of predict that share does not have, and that is not of its output, is not left out silently.
    printf 'command: predict\nscene: city:grid:size=200m,200m\ntx: 100,100,20\nat: 50,50\n' >points.yaml
    rasterwave share points.yaml --out points.html >said.txt 2>&1 && fail "share leaves out --at"
    grep -q "share has no option 'at'" said.txt || fail "share with --at: $(cat said.txt)"
    # The antenna of --tx counts: behind it there is less power.
    rasterwave share --scene city:grid:size=200m,200m --tx 100,100,60 --tx-antenna 3gpp --tx-azimuth 90 --res 20 --layers power --out turned.html --quiet || fail "--tx-antenna"
    rasterwave share --scene city:grid:size=200m,200m --tx 100,100,60 --res 20 --layers power --out plain.html --quiet
    [ "$(grep -o '"cells": "[^"]*"' turned.html)" != "$(grep -o '"cells": "[^"]*"' plain.html)" ] || fail "the antenna changes nothing"
fi
finish
