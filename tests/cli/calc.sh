# labels: documents
# rasterwave calc: the commands of the manual work, their JSON is one object, and bad input ends with one line and status 2.
# Usage: calc.sh PROGRAM SOURCE_DIR
. "$2/tests/support/cli.sh"
folder=$scratch

# gives TEXT ARGUMENTS...: succeeds, prints one line of JSON that has the text, and nothing on standard error
gives() {
    expected=$1
    shift
    rasterwave calc "$@" --json >"$folder/out" 2>"$folder/err" || fail "calc $*: status $?"
    [ "$(wc -l <"$folder/out")" -eq 1 ] || fail "calc $*: not one line"
    grep -q '^{.*}$' "$folder/out" || fail "calc $*: not an object"
    grep -qiE 'nan|inf[^o]' "$folder/out" && fail "calc $*: NaN or infinity in JSON"
    grep -qF -- "$expected" "$folder/out" || fail "calc $*: no $expected in $(cat "$folder/out")"
    [ -s "$folder/err" ] && fail "calc $*: $(cat "$folder/err")"
}

# warns TEXT ARGUMENTS...: succeeds with a warning on standard error and in the JSON
warns() {
    expected=$1
    shift
    rasterwave calc "$@" --json >"$folder/out" 2>"$folder/err" || fail "calc $*: status $?"
    grep -qF -- "$expected" "$folder/err" || fail "calc $*: no warning"
    grep -qF -- "$expected" "$folder/out" || fail "calc $*: no warning in JSON"
}

gives '"loss_db": 38.36' wedge --freq 1GHz --exterior-angle 270deg --source 20m,30deg --observer 50m,250deg --pol soft --material pec
gives '"reflection_te": {"re": ' slab --material itu_glass --thickness 6mm --freq 3.5GHz --angle 30deg
# Novak (2016), equations (1) and (2) by hand: 20 cm of permittivity 4 (index 2), source 1 m before it, 45 degrees: r = 1 + 0.2 tan(asin(sin 45 / 2))
# = 1.075593, epsilon = 45 - atan(1.075593 / (1 + 0.2 - 0.1)) with the shift along the normal 0.2 (1 - 1/2).
gives '"misalignment_deg": 0.642' slab --material 4,0 --thickness 20cm --freq 2.4GHz --angle 45deg --distance 1m
gives '"view_shift_m": 0.1' slab --material 4,0 --thickness 20cm --freq 2.4GHz --angle 45deg --distance 1m
gives '"misalignment_deg": 3.129' slab --material 4,0 --thickness 20cm --freq 2.4GHz --angle 45deg --distance 1m --shift 0
gives '"loss_db": 13.86' knife-edge --nu 1
gives '"permittivity": 5.24' material --name itu_concrete --freq 3.5GHz
gives '"loss_db": 92.4' free-space --freq 1GHz --distance 1km
gives '"loss_vertical_db": ' two-ray --freq 3.5GHz --tx-height 10m --rx-height 1.5m --distance 200m
gives '"pattern_per_sr": 0.159' scatter --incidence 30deg --scatter 60deg
gives '"gain_dbi": 0' antenna --antenna isotropic
gives '"nlos_db": 146.52' walfisch-ikegami --freq 947MHz --distance 1km --tx-height 13m --roof 17m
gives '"nlos_db": 149.80' cost-hata --freq 1.8GHz --distance 2km --tx-height 30m --city metropolitan
gives '"los_db": 85.31' 3gpp-umi --freq 3.5GHz --distance 100m --tx-height 10m
gives '"nlos_db": 136.80' 3gpp-uma --freq 2GHz --distance 1km --tx-height 25m
gives '"nlos_db": 124.74' p1411 --freq 3.5GHz --distance 500m --tx-height 25m
gives '"nlos_db": 115.09' p1411 --freq 3.5GHz --distance 200m --tx-height 10m
printf 'distance_m,height_m\n0,210\n500,215\n1200,260\n2000,228\n3500,205\n5000,203\n' >profile.csv
printf 'distance_km,height_m,clutter_m\n0,0,9\n1,0,20\n2,0,9\n' >edge.csv
gives '"line_of_sight": false' terrain --profile profile.csv --freq 800MHz
gives '"diffraction_db": 12.399' terrain --profile edge.csv --freq 1GHz --tx-height 20m --rx-height 20m --k-factor 1e6
gives '"freq_hz": 2000000000' wedge --freq=2GHz --source=50m,10deg,3m --observer=30m,200deg --pol=hard
gives '"conductivity_s_m": null' material --name pec --freq 1GHz

refuses 2 'angle' rasterwave calc wedge --freq 1GHz --source 20m,30deg --observer 50m,280deg
refuses 2 'thickness' rasterwave calc slab --material itu_glass --thickness=-6mm --freq 3.5GHz
refuses 2 'itu_cheese' rasterwave calc material --name itu_cheese --freq 3.5GHz
refuses 2 'frequency' rasterwave calc free-space --freq 0Hz --distance 1km
refuses 2 '--freq' rasterwave calc material --name itu_glass
refuses 2 '--freq' rasterwave calc material --name itu_glass --freq 3.5parsec
refuses 2 'no point' rasterwave calc wedge --freq 1GHz --source 20m --observer 50m,250deg
refuses 2 'neither soft nor hard' rasterwave calc wedge --freq 1GHz --source 20m,30deg --observer 50m,250deg --pol sideways
refuses 2 'each layer needs both' rasterwave calc slab --material itu_glass --thickness 6mm --material itu_wood --freq 3.5GHz
refuses 2 'whole number' rasterwave calc scatter --incidence 30deg --scatter 60deg --alpha-r 2.5
refuses 2 'there is no' rasterwave calc nonsense
refuses 2 'there is no option' rasterwave calc knife-edge --mu 1
refuses 2 'needs a value' rasterwave calc knife-edge --nu

printf 'distance_m,height_m\n0,1\n100,2\n100,3\n' >still.csv
refuses 2 'must rise' rasterwave calc terrain --profile still.csv --freq 800MHz
printf 'distance_m,height\n0,1\n' >short.csv
refuses 2 'too short' rasterwave calc terrain --profile short.csv --freq 800MHz
printf 'x_m,height\n0,1\n5,2\n' >other.csv
refuses 2 'distance_m' rasterwave calc terrain --profile other.csv --freq 800MHz
refuses 2 'neither vertical nor' rasterwave calc terrain --profile profile.csv --freq 800MHz --pol round
warns 'is for 30 MHz to 6 GHz' terrain --profile profile.csv --freq 28GHz

warns 'outside 0.1 to 100 GHz' free-space --freq 50MHz --distance 1km
warns 'fitted to 0.8 to 2 GHz; 3.5 is extrapolated' walfisch-ikegami --freq 3.5GHz --distance 1km --tx-height 13m
warns 'fitted to 10 to 73 GHz' p1411 --freq 3.5GHz --distance 200m --tx-height 10m --environment low-rise
refuses 2 'needs --distance' rasterwave calc slab --material itu_glass --thickness 6mm --freq 3.5GHz --shift 1mm
refuses 2 'the distance of the source' rasterwave calc slab --material itu_glass --thickness 6mm --freq 3.5GHz --distance -1m
refuses 2 'neither medium nor' rasterwave calc cost-hata --freq 1.8GHz --distance 2km --tx-height 30m --city large
refuses 2 'no environment' rasterwave calc p1411 --freq 3.5GHz --distance 200m --tx-height 10m --environment lake
warns 'itu_brick holds from' material --name itu_brick --freq 60GHz

# Every help fits a screen, and its two examples work.
for name in free-space material slab air foliage knife-edge wedge two-ray terrain scatter antenna walfisch-ikegami cost-hata 3gpp-umi 3gpp-uma p1411; do
    rasterwave calc $name --help >"$folder/help" || fail "calc $name --help"
    [ "$(wc -l <"$folder/help")" -le 24 ] || fail "calc $name --help is longer than a screen"
    sed -n 's/^  rasterwave //p' "$folder/help" >"$folder/examples"
    [ "$(wc -l <"$folder/examples")" -eq 2 ] || fail "calc $name --help: not two examples"
    while read -r example; do
        # shellcheck disable=SC2086
        rasterwave $example >"$folder/out" 2>"$folder/err" || fail "$example: $(cat "$folder/err")"
        [ -s "$folder/out" ] || fail "$example: no answer"
    done <"$folder/examples"
done
rasterwave calc --help >/dev/null || fail "calc --help"

[ $failures -eq 0 ]
