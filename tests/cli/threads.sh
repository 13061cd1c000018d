# Many transmitters on a small scene. Threads that wait sleep: many small steps cost two threads hardly more time of the processor than one, and give the same
# bytes. Time of the processor, not of the clock, so that the test holds on a busy machine.
. "$2/tests/support/cli.sh"

awk 'BEGIN { print "name,x,y,height"; for (i = 0; i < 400; i++) printf "t%d,%g,%g,300\n", i, 5 + (i % 20) * 9.5, 5 + int(i / 20) * 9.5 }' >sites.csv

# seconds THREADS: of the processor, for all transmitters.
seconds()
{
    # shellcheck disable=SC3045
    (
        rasterwave predict --scene city:grid:size=200m,200m --sites sites.csv --res 20 --layers path_loss --threads "$1" --out "map$1" --quiet || exit 1
        times
    ) | awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } print sum }'
}

one=$(seconds 1)
two=$(seconds 2)
eight=$(seconds 8)
[ -n "$one" ] && [ -n "$two" ] && [ -n "$eight" ] || fail "predict"
awk -v one="$one" -v two="$two" -v eight="$eight" 'BEGIN { exit !(two < 1.5 * one + 0.5 && eight < 3 * one + 2) }' ||
    fail "one thread takes $one s, two take $two s, eight $eight s"
for file in map1/*; do
    cmp "$file" "map2/${file#map1/}" && cmp "$file" "map8/${file#map1/}" || fail "$file differs by threads"
done

# Small maps of many transmitters are written in less time than it takes to predict them, or little more.
awk 'BEGIN { print "name,x,y,height"; for (i = 0; i < 4000; i++) printf "t%d,%g,%g,300\n", i, 5 + (i % 80) * 2.3, 5 + int(i / 80) * 3.6 }' >sites.csv
rasterwave predict --scene city:grid:size=200m,200m --sites sites.csv --res 20 --layers path_loss --out many --json >many.json || fail "4000 transmitters"
awk -F: '/"solve"/ { solve = $2 + 0 } /"write"/ { write = $2 + 0 } END { exit !(write < 4 * solve + 2) }' many.json ||
    fail "4000 transmitters: $(grep 'solve\|write' many.json | tr '\n' ' ')"
finish
