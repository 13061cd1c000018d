# Places that cannot be written are told before the work, whatever cannot be printed ends with status 1, and a database
# that is cut while it is read is refused.
. "$2/tests/support/cli.sh"
scene=city:grid:size=100m,100m
mkdir folder
mkfifo pipe

for out in folder pipe nowhere/file; do
    for command in "preprocess --scene $scene" "preprocess --scene $scene --model tiles" "generate city" "import $scene" \
        "calibrate --scene $scene --tx 50,50,20 --measurements missing.csv"; do
        # shellcheck disable=SC2086
        refuses 2 "$out" rasterwave $command --out $out
    done
done
refuses 2 'folder.png is a folder' sh -c 'mkdir folder.png; rasterwave render missing --out folder.png; status=$?; rmdir folder.png; exit $status'
refuses 2 'folder is a folder' rasterwave predict --scene $scene --tx 50,50,20 --model beams --reuse folder --out never
[ -p pipe ] || fail "the pipe was replaced"

# A pipe that no program writes to, and a device without an end, where a file is asked for.
for call in "info pipe" "render pipe --out map.png" "import pipe --out scene.gpkg" "info /dev/zero" \
    "predict --scene $scene --tx 50,50,20 --database pipe --out never" "predict --scene $scene --tx 50,50,20 --terrain pipe --out never"; do
    # shellcheck disable=SC2086
    refuses 2 'is no ordinary file' timeout 100 rasterwave $call
done
refuses 2 'more than 268435456 bytes' timeout 100 rasterwave evaluate --scene $scene --tx 50,50,20 --measurements /dev/zero

# The whole of the work is not done first.
start=$(date +%s)
refuses 2 'is a folder' rasterwave preprocess --scene city:european:size=20km,20km --model tiles --out folder
[ $(($(date +%s) - start)) -lt 20 ] || fail "a folder as output is told late"

if [ -e /dev/full ]; then
    for call in --version --help "help predict" "predict --help" "calc --help" "info $scene" "predict --model beams --help --json"; do
        # shellcheck disable=SC2086
        rasterwave $call >/dev/full 2>err
        [ $? = 1 ] || fail "$call to a full disk: no status 1"
        grep -q '^rasterwave: standard output cannot be written' err || fail "$call to a full disk: $(cat err)"
    done
fi

# Another program cuts the database while it is read: an error, not a signal.
rasterwave preprocess --scene $scene --model tiles --tile-area 4 --out city.rwdb --quiet || fail "preprocess"
cp city.rwdb whole.rwdb
for i in 1 2 3 4 5 6 7 8; do
    cp whole.rwdb city.rwdb
    rasterwave info city.rwdb >/dev/null 2>err &
    : >city.rwdb
    wait $!
    status=$?
    [ $status -le 2 ] || fail "a database cut while it is read: status $status: $(cat err)"
done
finish
