# Shards of a network: which one a process has, and the same bytes whatever ends a process; the examples for Kubernetes.
. "$2/tests/support/cli.sh"
has_library gdal || finish
cat >sites.csv <<'END'
name,x,y,height,azimuth,power,antenna,channel
a,60,60,40,0,40,3gpp,1
b,240,60,40,90,40,3gpp,2
c,60,240,40,180,40,3gpp,1
d,240,240,40,270,40,dipole,2
END
inputs="--scene city:grid:size=300m,300m --sites sites.csv --res 10 --radius 250"
network="rasterwave network $inputs --group-sites 1 --block-cells 16 --threads 1 --quiet"
$network --out one || fail "network"
begun=$(date +%s.%N)
$network --shard 1/2 --out first || fail "shard 1 of 2"
ended=$(date +%s.%N)

# same FOLDER FOLDER: the same files of the same bytes, but for what SIGKILL leaves under temporary names.
same()
{
    rm -f "$2"/.partial-*
    diff -r "$1" "$2" >said 2>&1 || fail "$1 and $2 differ: $(cat said)"
}

# Killed at 50 moments of its time in ten folders and started again: status 0 only with the whole shard, then the same bytes.
awk -v s="$begun $ended" 'BEGIN { split(s, of); srand(7); for (i = 0; i < 50; i++) printf "%.4f\n", 0.002 + (of[2] - of[1]) * rand() }' >moments
number=0
killed=0
while read -r moment; do
    number=$((number + 1))
    timeout -s KILL "$moment" $network --shard 1/2 --out killed >/dev/null 2>said
    status=$?
    case $status in
    0) same first/parts killed/parts ;;
    137) killed=$((killed + 1)) ;;
    *) fail "status $status of a shard that was killed: $(cat said)" ;;
    esac
    [ $((number % 5)) = 0 ] || continue
    $network --shard 1/2 --out killed || fail "started again"
    same first/parts killed/parts
    rm -rf killed
done <moments
[ $killed -ge 10 ] || fail "only $killed of 50 runs were killed"

# The other shard completes it; a chunk that is damaged, cut, empty, a link to nothing or of another run is not taken for a whole one.
$network --shard 2/2 --out first && rasterwave merge first --quiet || fail "merge"
for layer in best strongest sinr; do
    same one/blocks first/blocks
done
victim=first/parts/block1-group1.part
cp $victim whole
for damage in 'head -c 100 whole' 'head -c -1 whole' 'printf ""'; do
    rm -f $victim
    eval "$damage" >$victim
    $network --shard 1/2 --out first || fail "a chunk that is cut: $damage"
    cmp $victim whole || fail "a chunk that is cut was taken for a whole one: $damage"
done
rm $victim && ln -s nowhere $victim
$network --shard 1/2 --out first && cmp $victim whole || fail "a link to nothing in the position of a chunk"
rm $victim && mkfifo $victim
refuses 2 'no ordinary file' $network --shard 1/2 --out first
rm $victim && cp whole $victim
$network --shard 1/2 --out first --json | tr -d '\n ' | grep -q '"parts_computed":0' || fail "computed again"
rm $victim first/parts/block4-group4.part
refuses 2 'block1-group1 (shard 1/2), block4-group4 (shard 2/2)' rasterwave merge first

# Two processes with the same shard.
$network --out both & other=$!
$network --out both || fail "two processes: the first"
wait $other || fail "two processes: the second"
same one/parts both/parts

# Shards from the environment.
shard_of() { env "$@" $network --dry-run --json --out none | tr -d '\n ' | sed 's/.*"share":\([0-9]*\),"shares":\([0-9]*\).*/\1 of \2/'; }
[ "$(shard_of SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_COUNT=5 SLURM_ARRAY_TASK_STEP=2)" = "3 of 5" ] || fail "Slurm array"
[ "$(shard_of SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2)" = "2 of 2" ] || fail "srun"
[ "$(shard_of OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4)" = "3 of 4" ] || fail "mpirun"
[ "$(shard_of JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=6)" = "1 of 6" ] || fail "Kubernetes"
[ "$(shard_of PARALLEL_SEQ=2 RASTERWAVE_SHARDS=3)" = "2 of 3" ] || fail "GNU parallel"
[ "$(shard_of)" = "1 of 1" ] || fail "alone"

# The Kubernetes Jobs of the examples, index by index as their controller starts them; merge fails until all have ended.
examples=$source_dir/examples/cluster
for line in 'completionMode: Indexed' 'restartPolicy: OnFailure' 'backoffLimit: 32' 'completions: 4' 'env: \[{name: JOB_COMPLETIONS, value: "4"}\]'; do
    grep -q "^ *$line\$" "$examples/network.yaml" || fail "network.yaml has no $line"
done
command_of() { sed -n 's/.*command: \[\(.*\)\]/\1/p' "$1" | sed "s/,//g; s/\"//g; s#/data/sites.csv#sites.csv#; s#/data/city.gpkg#city:grid:size=300m300m#; s#/data/net#pods#; s#5km#250#; s#300m300m#300m,300m#"; }
for index in 0 1 2 3; do
    [ $index != 3 ] || refuses 2 'are missing' $(command_of "$examples/merge.yaml")
    JOB_COMPLETION_INDEX=$index JOB_COMPLETIONS=4 $(command_of "$examples/network.yaml") --threads 1 --group-sites 1 --quiet || fail "the Job at index $index"
done
$(command_of "$examples/merge.yaml") --quiet || fail "the Job that merges"
rasterwave network $inputs --threads 1 --layers best,strongest,sinr --out plain --quiet || fail "network"
cmp plain/sinr.tif pods/sinr.tif || fail "the shards of a Kubernetes Job"
finish
