# The completion offers commands, options, values and files; all layers and models that the program knows are among them.
. "$2/tests/support/cli.sh"
command -v bash >/dev/null || { echo "SKIPPED: completion (no bash)"; exit 77; }

# completes WORDS... -- EXPECTED...: the last of the words is being typed.
cat >complete.bash <<'BASH'
source "$SOURCE_DIR/programs/cli/completion.bash"
COMP_WORDS=()
while [[ $1 != :: ]]; do
    COMP_WORDS+=("$1")
    shift
done
shift
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_rasterwave
for expected in "$@"; do
    found=
    for reply in "${COMPREPLY[@]}"; do
        [[ $reply == "$expected" ]] && found=1
    done
    [[ $found ]] || { echo "no $expected among: ${COMPREPLY[*]}"; exit 1; }
done
BASH
SOURCE_DIR=$source_dir
export SOURCE_DIR

completes()
{
    bash complete.bash "$@" || fail "completion of $*"
}

: >city.gpkg
: >work.yaml
completes rasterwave "" :: predict paths preprocess generate import render info bench calc work.yaml
completes rasterwave pre :: predict
completes rasterwave predict -- :: --scene --tx --sites --layers --json --help
completes rasterwave predict --scene ci :: city.gpkg
completes rasterwave predict --database ci :: city.gpkg
completes rasterwave predict --layers path_loss,l :: path_loss,los
completes rasterwave predict --model "" :: shadow
completes rasterwave predict --backend c :: cpu cuda
completes rasterwave generate "" :: city office terrain
completes rasterwave generate city --style g :: grid
completes rasterwave calc "" :: free-space material slab knife-edge wedge two-ray
completes rasterwave calc slab --m :: --material
completes rasterwave info c :: city.gpkg
completes rasterwave calibrate -- :: --measurements --holdout --fit --route --rx-height --json --quiet
completes rasterwave calibrate --fit street,w :: street,wall
completes rasterwave predict -- :: --params --quiet --threads

# The program's own sentence tells which layers and models there are.
scene=city:grid:size=400m,400m
layers=$(rasterwave predict --scene $scene --tx 100,100,200 --layers xyzzy --out map 2>&1 | sed 's/.*there are //; s/,/ /g; s/and//')
models=$(rasterwave predict --scene $scene --tx 100,100,200 --model xyzzy --out map 2>&1 | sed 's/.*; use //; s/,/ /g; s/ or / /')
for model in $models; do
    completes rasterwave predict --model "" :: "$model"
done
for layer in $layers; do
    completes rasterwave predict --layers "" :: "$layer"
done
finish
