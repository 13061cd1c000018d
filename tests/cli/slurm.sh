# A real Slurm on this machine: four nodes, one of which is killed on the way; srun gives each process its share, the others take
# over what the dead one leaves. Skipped where Slurm cannot be started.
. "$2/tests/support/cli.sh"
has_library gdal || finish

skip()
{
    echo "SKIPPED: $*"
    finish
}

for needed in slurmctld slurmd munged srun scontrol; do
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
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 4))] CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF="$scratch/slurm.conf"
sleep 0.3
slurmctld -D >/dev/null 2>&1 &
pids="$pids $!"
for i in 1 2 3 4; do
    mkdir -p spool/n$i
    slurmd -D -N n$i >/dev/null 2>&1 &
    eval "node$i=$!"
    pids="$pids $!"
done
for try in $(seq 50); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 4 ] && break
    sleep 0.1
done
[ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 4 ] || skip "Slurm does not start here: $(tail -n 1 ctld.log n1.log 2>/dev/null | tr '\n' ' ')"

cat >sites.csv <<'END'
name,x,y,height,azimuth,power,antenna
END
for i in 1 2 3 4 5 6 7 8; do
    echo "s$i,$((i * 100)),$((900 - i * 100)),120,$((i * 40)),40,3gpp" >>sites.csv
done
network="rasterwave network --scene city:grid:size=1km,1km --sites sites.csv --res 10 --radius 500 --threads 1 --group-sites 1 --quiet"
$network --out alone || fail "network"
srun -n 4 -N 4 --kill-on-bad-exit=0 --wait=0 --no-kill $network --out by-slurm >srun.log 2>&1 &
job=$!
for try in $(seq 100); do
    [ -e by-slurm/parts/share-3-of-4.alive ] && break
    sleep 0.02
done
process=$(awk '{ print $2 }' by-slurm/parts/share-3-of-4.alive 2>/dev/null)
[ -n "$process" ] && kill -9 "$process" 2>/dev/null # the process of that node, and its daemon: the node is gone
kill -9 "$node3" 2>/dev/null
for try in $(seq 150); do
    [ "$(ls by-slurm/parts 2>/dev/null | grep -c 'part$')" = 8 ] && break
    sleep 0.1
done
scancel --signal=KILL -u root 2>/dev/null
kill "$job" 2>/dev/null
wait "$job" 2>/dev/null
rasterwave merge by-slurm --quiet || fail "parts are missing: $(ls by-slurm/parts) $(cat srun.log)"
cmp alone/sinr.tif by-slurm/sinr.tif || fail "a node that was killed changes the result"
finish
