/* Line of sight between two points in a scene of cubes, with the surfaces that cut them.
 *
 * A filled cube is one whose centre is inside a building, so a building in cubes is up to half a cube larger than it
 * is, and would hide what stands beside its walls. So this asks every cube that the line touches (Amanatides and Woo
 * 1987), where cube_line.k.h takes one a step, and:
 * - a filled cube that no surface cuts blocks, the two of the ends aside;
 * - a cube that vertical walls cut blocks a line that crosses one of them in it;
 * - a filled cube that only flat roofs and undersides cut blocks a line that does not stay before one of them;
 * - a filled cube that sloped surfaces cut blocks: their pieces are kept as bounds, too coarse to ask.
 * For buildings with vertical walls that is the exact line of sight, but for rounding of 0.001 cubes and for hidden
 * walls, which are left out where the air before the middle of their piece is not free. On hills and among sloped
 * surfaces it is that of cubes. */
#ifndef RW_MODELS_CUBES_SIGHT_CUBE_SIGHT_K_H
#define RW_MODELS_CUBES_SIGHT_CUBE_SIGHT_K_H

#include "models/cubes/sight/cube_line.k.h"

#define RW_SIGHT_BORDER 1e-3f /* of pieces, for rounding */

/* Whether the line between two points crosses a piece of a wall; not at its ends. */
RW_FN int rw_cube_wall_crossed(const rw_cube_element *wall, const rw_cube_item *piece, const float from[3],
                               const float to[3])
{
    float before = 0.0f, after = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        before += (from[axis] - wall->at[axis]) * wall->axis[axis];
        after += (to[axis] - wall->at[axis]) * wall->axis[axis];
    }
    if (!(before * after < 0.0f) || fabsf(before) < RW_SIGHT_BORDER || fabsf(after) < RW_SIGHT_BORDER)
        return 0;
    float fraction = before / (before - after);
    for (int axis = 0; axis < 3; axis++) {
        float at = from[axis] + fraction * (to[axis] - from[axis]);
        if (at < piece->from[axis] - RW_SIGHT_BORDER || at > piece->to[axis] + RW_SIGHT_BORDER)
            return 0;
    }
    return 1;
}

/* Whether the surfaces of a cube block a line that is between two heights there. */
RW_FN int rw_cube_surfaces_block(const rw_cubes_view *cubes, uint32_t source, int filled, const float heights[2],
                                 const float from[3], const float to[3])
{
    uint32_t end = cubes->first_item[source + 1];
    int walls = 0, sloped = 0, before_roof = 0;
    for (uint32_t n = cubes->first_item[source]; n < end; n++) {
        const rw_cube_item *piece = &cubes->items[n];
        const rw_cube_element *element = &cubes->elements[piece->element];
        float up = element->axis[2], at = element->at[2];
        if (element->kind != RW_CUBE_REFLECTION)
            continue;
        if (fabsf(up) < 1e-6f) {
            if (rw_cube_wall_crossed(element, piece, from, to))
                return 1;
            walls = 1;
        } else if (fabsf(up) > 0.999999f) {
            before_roof |= (heights[0] - at) * up > -RW_SIGHT_BORDER && (heights[1] - at) * up > -RW_SIGHT_BORDER;
        } else {
            sloped = 1;
        }
    }
    return filled && (sloped || (!walls && !before_roof));
}

/* A walk through all cubes of a line, in shares of its length. */
typedef struct rw_cube_sight {
    int at[3], to[3];
    float inverse[3]; /* of the way on each axis */
} rw_cube_sight;

/* Where the line leaves the cube it is in, and through which side; 1 where that is the last. */
RW_FN float rw_cube_sight_leaves(const rw_cube_sight *sight, const float from[3], int *side)
{
    float first = 1.0f;
    *side = -1;
    for (int axis = 0; axis < 3; axis++) {
        if (sight->at[axis] == sight->to[axis])
            continue;
        int next = sight->at[axis] + (sight->to[axis] > sight->at[axis]);
        float fraction = ((float)next - from[axis]) * sight->inverse[axis];
        if (*side < 0 || fraction < first) {
            first = fraction;
            *side = axis;
        }
    }
    return first;
}

/* Whether one point sees the other. */
RW_FN int rw_cube_sight_clear(const rw_cubes_view *cubes, const float from[3], const float to[3])
{
    rw_cube_sight sight;
    float fraction = 0.0f, rise = to[2] - from[2];
    for (int axis = 0; axis < 3; axis++) {
        sight.at[axis] = (int)floorf(from[axis]);
        sight.to[axis] = (int)floorf(to[axis]);
        sight.inverse[axis] = to[axis] == from[axis] ? 0.0f : 1.0f / (to[axis] - from[axis]);
    }
    for (int first = 1;; first = 0) {
        int side, i = sight.at[0], j = sight.at[1], k = sight.at[2];
        float leaves = rw_cube_sight_leaves(&sight, from, &side);
        int inner = !first && side >= 0, in_grid = rw_cube_in_grid(cubes, i, j, k);
        size_t word = in_grid ? rw_cube_word(cubes, i, j, k) : 0;
        int filled = inner && (!in_grid || rw_cube_bit(cubes->filled, word, i));
        if (in_grid && rw_cube_bit(cubes->source, word, i)) {
            const float heights[2] = {from[2] + fraction * rise, from[2] + leaves * rise};
            filled = rw_cube_surfaces_block(cubes, rw_cube_source(cubes, word, i), filled, heights, from, to);
        }
        if (filled)
            return 0;
        if (side < 0)
            return 1;
        sight.at[side] += sight.to[side] > sight.at[side] ? 1 : -1;
        fraction = leaves;
    }
}

#endif
