/* Visibility of cubes from a cube: one item is one cube.
 *
 * A cube sees another if no cube on the line between them is filled, the two themselves aside (section IV of the cubes
 * paper). see_cubes follows each line from the source. see_supercubes is Algorithms 1 and 2 of the paper in space:
 * rings of blocks of `block` cubes a side around the source, from the inside outwards; a line is followed only from the
 * cube where it enters its ring, which knows whether the source is seen from there. Both leave 1 or 0 for each cube. */
#ifndef RW_MODELS_CUBES_SIGHT_SEE_CUBES_K_H
#define RW_MODELS_CUBES_SIGHT_SEE_CUBES_K_H

#include "models/cubes/sight/cube_line.k.h"

struct rw_see_cubes_args {
    rw_cubes_view cubes;
    int source[3];
    uint8_t *seen; /* layer after layer, row after row */
};

RW_FN void rw_see_place(const rw_cubes_view *cubes, size_t item, int place[3])
{
    size_t row = item / (size_t)cubes->columns;
    place[0] = (int)(item - row * (size_t)cubes->columns);
    place[2] = (int)(row / (size_t)cubes->rows);
    place[1] = (int)(row - (size_t)place[2] * (size_t)cubes->rows);
}

RW_FN void rw_see_cubes_item(const struct rw_see_cubes_args *args, size_t item)
{
    const int *from = args->source;
    int to[3];
    rw_see_place(&args->cubes, item, to);
    rw_cube_line line = rw_cube_line_make(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    args->seen[item] = (uint8_t)rw_cube_line_clear(&args->cubes, &line, from[0], from[1], from[2], 1, line.steps);
}

struct rw_see_supercubes_args {
    rw_cubes_view cubes;
    int source[3];
    int block; /* cubes a side */
    int ring;  /* only the cubes of this one are answered; the rings inside it must be */
    uint8_t *seen;
};

RW_FN void rw_see_supercubes_item(const struct rw_see_supercubes_args *args, size_t item)
{
    const int *from = args->source;
    int to[3];
    rw_see_place(&args->cubes, item, to);
    rw_cube_line line = rw_cube_line_make(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    if (line.steps / args->block != args->ring)
        return;
    int start = args->ring * args->block - 1; /* the last step outside the ring's blocks */
    if (start < 1) {
        args->seen[item] = (uint8_t)rw_cube_line_clear(&args->cubes, &line, from[0], from[1], from[2], 1, line.steps);
        return;
    }
    int x = from[0] + rw_cube_line_at(&line, 0, start), y = from[1] + rw_cube_line_at(&line, 1, start);
    int z = from[2] + rw_cube_line_at(&line, 2, start);
    size_t before = ((size_t)z * (size_t)args->cubes.rows + (size_t)y) * (size_t)args->cubes.columns + (size_t)x;
    args->seen[item] = (uint8_t)(args->seen[before] &&
                                 rw_cube_line_clear(&args->cubes, &line, from[0], from[1], from[2], start, line.steps));
}

#endif
