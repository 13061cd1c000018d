# labels: documents
# A formula that many models share is in one file: the rule of composition and the sum of mechanisms, the empirical median, and
# the fading of paths along streets behind a hill. So is the one loop that walks through a structure: through the cells of the wall
# grid (rw_grid_walk), and through a tree of boxes (RW_BVH_EACH). Argument: the source tree.
cd "$1" || exit 1
failures=0

# in_one_file NAME PATTERN FILE: of the sources FILE alone has the pattern.
in_one_file()
{
    found=$(grep -rlE --include='*.[ch]' --include='*.cu' "$2" src)
    [ "$found" = "$3" ] && return
    echo "FAILED: $1 is in: $(echo "$found" | tr '\n' ' '), and belongs to $3"
    failures=$((failures + 1))
}

in_one_file "the rule of composition" 'RW_COMPOSE_(ONSET|BEND)_DB' src/mechanisms/compose.k.h
in_one_file "the weights of the median" '0\.65 \* (lack|slope)' src/mechanisms/compose.k.h
in_one_file "the fading of other mechanisms" 'faded < 1\.0 \?' src/mechanisms/compose.k.h
in_one_file "the median of ITU-R P.2108" '32\.98 \+ 23\.9' src/mechanisms/prior/median.k.h
in_one_file "the fading of street paths" 'RW_SHADOW_STREETS_(FADE|END)_DB' src/models/shadow/path_loss.k.h
in_one_file "the step to the next cell of the wall grid" 'leave_x|ahead_x|inverse_x' src/discretise/walls/wall_grid.k.h
in_one_file "the walk through a tree of boxes" '\[RW_BVH_STACK\]|\[--depth\]' src/discretise/bvh/bvh.k.h
in_one_file "one over the direction of a line" '\(float\)\(1(\.0)? / ' src/discretise/bvh/bvh.k.h
grep -rlE 'exp\(-(0\.1 \* )?(excess|shadow)_db' --include='*.[ch]' src | grep -v '^src/mechanisms/compose.k.h$' && {
    echo "FAILED: a weight by the excess is computed outside src/mechanisms/compose.k.h"
    failures=$((failures + 1))
}
[ "$failures" = 0 ]
