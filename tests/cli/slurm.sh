# The Slurm scripts of examples/cluster on a real Slurm: one node with two slots on this machine, a task that is requeued while it
# computes, and the merge as a dependent job. Skipped if Slurm cannot be started.
. "$2/tests/support/cli.sh"
has_library gdal || finish

skip()
{
    echo "SKIPPED: $*"
    finish
}

for needed in slurmctld slurmd munged sbatch scontrol; do
    command -v $needed >/dev/null || skip "there is no $needed (Debian: slurm-wlm, munge)"
done
[ "$(id -u)" = 0 ] || skip "slurmd needs root"
host=$(hostname)
pids=
stop_all()
{
    for pid in $pids; do
        kill -9 "$pid" 2>/dev/null
    done
    rm -rf "$scratch"
}
trap stop_all EXIT

# munged, as this user, with a key and a socket of its own
chmod 755 "$scratch"
mkdir -m 700 munge && dd if=/dev/urandom of=munge/key bs=128 count=1 2>/dev/null && chmod 600 munge/key
mkdir -m 755 socket
munged --foreground --force --key-file="$scratch/munge/key" --socket="$scratch/socket/munge" --pid-file="$scratch/munge/pid" \
    --log-file="$scratch/munge/log" --seed-file="$scratch/munge/seed" >/dev/null 2>&1 &
pids="$pids $!"
port=$((20000 + $$ % 20000))
mkdir state spool
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$scratch/socket/munge
CredType=cred/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool/%n
SlurmctldPidFile=$scratch/ctld.pid
SlurmdPidFile=$scratch/%n.pid
SlurmctldLogFile=$scratch/ctld.log
SlurmdLogFile=$scratch/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
KillWait=1
SlurmdTimeout=5
InactiveLimit=0
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2 RealMemory=8000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF="$scratch/slurm.conf"
sleep 0.3
slurmctld -D >/dev/null 2>&1 &
pids="$pids $!"
mkdir -p spool/n1
slurmd -D -N n1 >/dev/null 2>&1 &
pids="$pids $!"
for try in $(seq 50); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 1 ] && break
    sleep 0.1
done
[ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 1 ] || skip "Slurm does not start here: $(tail -n 1 ctld.log n1.log 2>/dev/null | tr '\n' ' ')"

cat >sites.csv <<'END'
name,x,y,height,azimuth,power,antenna
END
for i in 1 2 3 4 5 6 7 8; do
    echo "s$i,$((i * 100)),$((900 - i * 100)),120,$((i * 40)),40,3gpp" >>sites.csv
done
scene=city:grid:size=1km,1km
options="--res 10 --radius 500 --group-sites 1"
rasterwave network --scene $scene --sites sites.csv $options --threads 1 --quiet --out alone || fail "network"

# finished JOB: when none of its tasks waits or runs any more.
finished()
{
    for try in $(seq 300); do
        [ -z "$(squeue -h -j "$1" 2>/dev/null)" ] && return 0
        sleep 0.1
    done
    fail "job $1 has not ended after 30 s: $(squeue 2>&1)"
}
batch="sbatch --parsable --output=$scratch/log-%A-%a --export=ALL --mem=100"
examples=$source_dir/examples/cluster
array=$($batch --array=0-3 --cpus-per-task=1 "$examples/network.slurm" $scene sites.csv net $options) || fail "sbatch: $array"
merge=$($batch --dependency="afterok:$array" "$examples/merge.slurm" net) || fail "sbatch: $merge"
for try in $(seq 100); do
    [ "$(squeue -h -t running -j "${array}_1" -o %i 2>/dev/null)" ] && scontrol requeue "${array}_1" 2>/dev/null && break
    sleep 0.02
done
for try in $(seq 100); do # a task that was requeued waits two minutes for its node, unless it is released
    [ "$(squeue -h -j "${array}_1" -o %r 2>/dev/null)" = BeginTime ] && scontrol update "jobid=${array}_1" StartTime=now 2>/dev/null && break
    sleep 0.05
done
finished "$array"
finished "$merge"
[ "$(scontrol show job "$merge" | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p')" = COMPLETED ] || fail "the merge: $(scontrol show job "$merge") $(cat log-* 2>/dev/null)"
cmp alone/sinr.tif net/sinr.tif || fail "a Slurm array with a task that is requeued changes the result"
finish
