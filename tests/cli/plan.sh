# Plans from the command line: files, reports, the table that predict takes, bad candidates, limits that cannot be met.
. "$2/tests/support/cli.sh"

town="--scene city:european:seed=1:size=300m,300m --effects roofs,walls --res 20"
cat >masts.csv <<END
name,x,y,height,power,antenna,cost,keep
north,150,250,80,20,3gpp,1,no
south,150,50,80,20,3gpp,2,no
west,50,150,80,20,3gpp,1,fixed
east,250,150,80,20,3gpp,1,no
END

rasterwave plan $town --candidates masts.csv --level -75 --azimuths 0:270:90 --tilts 0,10 --max-sites 3 --budget 2 --report plan.html --json \
    --out plan >said.json 2>errors.txt || fail "plan: $(cat errors.txt)"
"$json_check" kind model objective unit candidates configurations chosen_sites weight before greedy value predicted rms_db bound optimal \
    guarantee chosen.0.name chosen.0.azimuth_deg steps.0.phase steps.0.value seconds.search pictures.0 version <said.json ||
    fail "JSON of plan"
"$json_check" chosen.0.name <plan/plan.json || fail "plan/plan.json"
grep -q '"west","west"' plan/sites.csv || fail "what stays is not in the table"
grep -q 'south' plan/sites.csv && fail "south is beyond the budget with another one"
grep -q 'Step by step' plan.html || fail "the report has no steps"
if has_library png; then
    # before and after; where area counts, its weight is the same everywhere and no picture
    [ "$(grep -c 'data:image/png' plan.html)" = 4 ] || fail "the report lacks maps"
fi
ls plan/before/strongest.* >/dev/null 2>&1 || fail "no map of before"
rasterwave predict $town --sites plan/sites.csv --layers strongest --quiet --out check >said 2>errors.txt || fail "predict --sites: $(cat errors.txt)"
[ ! -s errors.txt ] || fail "predict warns of the table: $(cat errors.txt)"

# A confidence counts cells with a margin, and states how likely the coverage is.
rasterwave plan $town --candidates masts.csv --level -75 --max-sites 2 --confidence 0.9 --target 50 --report sure.html --json --out sure >said.json 2>errors.txt ||
    fail "plan --confidence: $(cat errors.txt)"
"$json_check" expected assured target_probability value <said.json || fail "JSON of a plan with a confidence"
grep -q 'is reached with a probability of' sure.html || fail "the report has no confidence"
refuses 2 "a confidence of 2 is not between 0 and 1" rasterwave plan $town --candidates masts.csv --level -75 --confidence 2
refuses 2 "a target needs a confidence" rasterwave plan $town --candidates masts.csv --level -75 --target 50
refuses 2 "belongs to the objective coverage" rasterwave plan $town --candidates masts.csv --objective rate --confidence 0.9

# Two storeys: the plan's mean rate is that of the maps of both.
printf 'name,x,y,height,power,antenna,channel\ng1,5,5,2.5,17,dipole,36\ng2,30,14.6,2.5,17,dipole,40\nf1,5,5,5.5,17,dipole,44\nf2,30,15,5.5,17,dipole,48\n' >ap.csv
rasterwave plan --scene office:storeys=2 --freq 5.2GHz --candidates ap.csv --res 1 --objective rate --max-sites 2 --rx-height 1.1m,4.1m --out storeys --json >said.json 2>errors.txt ||
    fail "plan of two storeys: $(cat errors.txt)"
low=$(rasterwave statistics storeys/after/1.1m --layer throughput | awk '$1 == "all" { print $5 }')
high=$(rasterwave statistics storeys/after/4.1m --layer throughput | awk '$1 == "all" { print $5 }')
sed -n 's/.*"predicted": \([0-9.]*\).*/\1/p' said.json | awk -v low="$low" -v high="$high" '{ d = $1 - (low + high) / 2; exit !(d < 0.02 && d > -0.02) }' ||
    fail "rates of both storeys: $low, $high: $(cat said.json)"
refuses 2 "expected heights with commas" rasterwave plan --scene office:storeys=2 --candidates ap.csv --level -60 --rx-height 1.1,x

# Antenna files go beside the table.
cat >panel.msi <<END
NAME panel
FREQUENCY 947
GAIN 10 dBi
HORIZONTAL 4
0 0
90 10
180 25
270 10
VERTICAL 4
0 0
90 20
180 25
270 20
END
rasterwave plan $town --candidates masts.csv --level -75 --antennas panel.msi,3gpp --max-sites 2 --quiet --out files 2>errors.txt ||
    fail "antenna files: $(cat errors.txt)"
rasterwave predict $town --sites files/sites.csv --layers strongest --quiet --out check2 2>errors.txt || fail "its antennas: $(cat errors.txt)"
rasterwave plan $town --candidates masts.csv --level -75 --max-sites 2 --dry-run >said 2>errors.txt || fail "dry run: $(cat errors.txt)"
# A limit beyond the number of candidates needs no more memory than none.
rasterwave plan $town --candidates masts.csv --level -75 --max-sites 2147483647 --dry-run >unlimited 2>errors.txt || fail "many sites: $(cat errors.txt)"
grep -q 'memory' said || fail "dry run tells no memory"

# Weights of zones: what lies in the zone alone counts.
if has_library gdal; then
    cat >zones.geojson <<END
{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"traffic": 250},
"geometry": {"type": "Polygon", "coordinates": [[[0,0],[400,0],[400,100],[0,100],[0,0]]]}}]}
END
    rasterwave plan $town --candidates masts.csv --level -60 --zones zones.geojson --zone-field traffic --max-sites 2 --json --out zoned >said.json 2>errors.txt ||
        fail "zones: $(cat errors.txt)"
    grep -q '"weight": 250' said.json || fail "the zone's weight is not the whole"
    ! has_library png || [ -f zoned/weights/weight.png ] || fail "no picture of the weights"
    refuses 2 "no field name" rasterwave plan $town --candidates masts.csv --level -60 --zones zones.geojson --zone-field name --out zoned2
fi

# Bad candidates: named, or with --skip-bad left out.
cat >bad.csv <<END
name,x,y,height
a,150,250,80
b,150,250,70
c,,50,80
d,100,100,0.5
e,250,150,80
END
refuses 2 "line 4" rasterwave plan $town --candidates bad.csv --level -75 --out bad
sed -i '/^c/d' bad.csv
sed '/^d/d' bad.csv >twins.csv
refuses 2 "a and b stand at one place" rasterwave plan $town --candidates twins.csv --level -75 --out bad
sed 's/^d.*/c,,50,80/' bad.csv >skipped.csv
rasterwave plan $town --candidates skipped.csv --level -75 --max-sites 1 --skip-bad --json --out skipped >said.json 2>errors.txt ||
    fail "--skip-bad: $(cat errors.txt)"
"$json_check" left_out.0 left_out.1 <said.json || fail "left out candidates are not listed"
grep -q 'left out: .*one place' errors.txt || fail "no line about two sites at one place"

# In a floor plan access points on two storeys may be one above the other.
printf 'name,x,y,height\nlow,5,6,2.5\nhigh,5,6,5.5\nfar,15,6,2.5\n' >storeys.csv
rasterwave plan --scene office:size=20m,12m:storeys=2 --candidates storeys.csv --level -60 --max-sites 2 --res 1 --freq 5GHz --out storeys --quiet 2>errors.txt ||
    fail "access points one above the other: $(cat errors.txt)"
sed 's/5.5/2.9/' storeys.csv >same.csv
refuses 2 "low and high stand at one place" rasterwave plan --scene office:size=20m,12m:storeys=2 --candidates same.csv --level -60 --max-sites 2 --res 1 --out same

# Calls that cannot be; test_plan.c has the limits.
refuses 2 "needs candidates" rasterwave plan $town --level -75
refuses 2 "needs a level" rasterwave plan $town --candidates masts.csv --out no
refuses 2 "nothing could be chosen" rasterwave plan $town --candidates masts.csv --level -75 --max-sites 0 --out no
refuses 2 "FIRST:LAST:STEP" rasterwave plan $town --candidates masts.csv --level -75 --azimuths 0:x --out no
refuses 2 "keep is 'maybe'" sh -c "sed 's/fixed/maybe/' masts.csv >maybe.csv; rasterwave plan $town --candidates maybe.csv --level -75 --out no; s=\$?; rm maybe.csv; exit \$s"
finish
