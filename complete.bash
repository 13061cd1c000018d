source "$SOURCE_DIR/programs/completion.bash"
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
