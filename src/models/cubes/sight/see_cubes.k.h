/* Visibility of cubes from a cube: one item is one cube.
 *
 * A cube sees another if no cube on the line between them is filled, the two themselves aside (section IV of the cubes
 * paper). see_cubes follows each line from the source. see_supercubes is Algorithms 1 and 2 of the paper in space
 * (supercube.k.h): a line is followed only from the border of its supercube on, from a cube whose answer is known.
 * see_rings is the same with rings of supercubes around the source in place of single ones: fewer passes, and starts on
 * the straight line's own cubes. see_exactly follows a line from point to point through the surfaces in the cubes
 * (cube_sight.k.h). All leave 1 or 0 for each cube. */
#ifndef RW_MODELS_CUBES_SIGHT_SEE_CUBES_K_H
#define RW_MODELS_CUBES_SIGHT_SEE_CUBES_K_H

#include "models/cubes/sight/cube_sight.k.h"
#include "models/cubes/sight/supercube.k.h"

struct rw_see_cubes_args {
    rw_cubes_view cubes;
    int source[3];
    uint8_t *seen; /* layer after layer, row after row */
};

RW_FN void rw_see_cube_at(const rw_cubes_view *cubes, size_t item, int cube[3])
{
    size_t row = item / (size_t)cubes->columns;
    cube[0] = (int)(item - row * (size_t)cubes->columns);
    cube[2] = (int)(row / (size_t)cubes->rows);
    cube[1] = (int)(row - (size_t)cube[2] * (size_t)cubes->rows);
}

/* Place of a cube's answer. */
RW_FN size_t rw_see_index(const rw_cubes_view *cubes, const int cube[3])
{
    return ((size_t)cube[2] * (size_t)cubes->rows + (size_t)cube[1]) * (size_t)cubes->columns + (size_t)cube[0];
}

RW_FN void rw_see_cubes_item(const struct rw_see_cubes_args *args, size_t item)
{
    const int *from = args->source;
    int to[3];
    rw_see_cube_at(&args->cubes, item, to);
    rw_cube_line line = rw_cube_line_of(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    args->seen[item] = (uint8_t)rw_cube_line_clear(&args->cubes, &line, from[0], from[1], from[2], 1, line.steps);
}

struct rw_see_exactly_args {
    rw_cubes_view cubes;
    float source[3];
    uint8_t *seen;
};

/* Between the source and the centre of a cube. */
RW_FN void rw_see_exactly_item(const struct rw_see_exactly_args *args, size_t item)
{
    int to[3];
    rw_see_cube_at(&args->cubes, item, to);
    const float centre[3] = {(float)to[0] + 0.5f, (float)to[1] + 0.5f, (float)to[2] + 0.5f};
    args->seen[item] = (uint8_t)rw_cube_sight_clear(&args->cubes, args->source, centre);
}

/* A box of cubes. */
typedef struct rw_see_box {
    int at[3];
    uint32_t width, height, depth;
} rw_see_box;

#define RW_SEE_BOXES 6

struct rw_see_rings_args {
    rw_cubes_view cubes;
    int source[3];
    int start; /* steps before the ring; the rings inside it must be answered */
    uint8_t *seen;
    rw_see_box boxes[RW_SEE_BOXES]; /* the ring, cut off at the grid's sides */
};

RW_FN void rw_see_ring_cube(const struct rw_see_rings_args *args, const int to[3])
{
    const int *from = args->source;
    rw_cube_line line = rw_cube_line_of(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    int before = args->start - 1, seen_before = 1; /* the last step outside the ring */
    if (before >= 1) {
        const int at[3] = {from[0] + rw_cube_line_at(&line, 0, before), from[1] + rw_cube_line_at(&line, 1, before),
                           from[2] + rw_cube_line_at(&line, 2, before)};
        seen_before = args->seen[rw_see_index(&args->cubes, at)];
    }
    args->seen[rw_see_index(&args->cubes, to)] =
        (uint8_t)(seen_before && rw_cube_line_clear(&args->cubes, &line, from[0], from[1], from[2],
                                                    before >= 1 ? before : 1, line.steps));
}

RW_FN void rw_see_rings_item(const struct rw_see_rings_args *args, size_t item)
{
    uint32_t left = (uint32_t)item;
    int box_index = 0;
    for (; box_index < RW_SEE_BOXES - 1; box_index++) {
        uint32_t count = args->boxes[box_index].width * args->boxes[box_index].height * args->boxes[box_index].depth;
        if (left < count)
            break;
        left -= count;
    }
    const rw_see_box *box = &args->boxes[box_index];
    uint32_t row = left / box->width, layer = row / box->height;
    const int to[3] = {box->at[0] + (int)(left - row * box->width), box->at[1] + (int)(row - layer * box->height),
                       box->at[2] + (int)layer};
    rw_see_ring_cube(args, to);
}

/* A supercube, numbered from the source. */
typedef struct rw_supercube {
    int number[RW_SUPERCUBE_AXES];
} rw_supercube;

struct rw_see_supercubes_args {
    rw_cubes_view cubes;
    int source[3];
    int block;                      /* M, cubes a side */
    uint32_t extent[3];             /* of a supercube as far as the grid has it: M or less */
    uint32_t cubes_each;            /* their product */
    const rw_supercube *supercubes; /* of this pass; those of the passes before must be answered */
    uint8_t *seen;
};

/* A cube of a supercube relative to the source, counted from the corner that is nearest to it. */
RW_FN void rw_see_supercube_at(const struct rw_see_supercubes_args *args, size_t item, int to[3])
{
    const rw_supercube *supercube = &args->supercubes[item / args->cubes_each];
    uint32_t left = (uint32_t)(item % args->cubes_each), row = left / args->extent[0], layer = row / args->extent[1];
    const uint32_t within[3] = {left - row * args->extent[0], row - layer * args->extent[1], layer};
    for (int axis = 0; axis < 3; axis++) {
        int number = supercube->number[axis], off = (int)within[axis];
        to[axis] = number < 0 ? (number + 1) * args->block - 1 - off : number * args->block + off;
    }
}

RW_FN void rw_see_supercubes_item(const struct rw_see_supercubes_args *args, size_t item)
{
    int to[3], start[3], cube[3], before[3];
    rw_see_supercube_at(args, item, to);
    for (int axis = 0; axis < 3; axis++)
        cube[axis] = args->source[axis] + to[axis];
    if (!rw_cube_in_grid(&args->cubes, cube[0], cube[1], cube[2]))
        return;
    rw_supercube_start(to, 3, args->block, start);
    for (int axis = 0; axis < 3; axis++)
        before[axis] = args->source[axis] + start[axis];
    int at_source = !start[0] && !start[1] && !start[2]; /* whose cube never blocks */
    rw_cube_line line = rw_cube_line_of(to[0] - start[0], to[1] - start[1], to[2] - start[2]);
    args->seen[rw_see_index(&args->cubes, cube)] =
        (uint8_t)((at_source || args->seen[rw_see_index(&args->cubes, before)]) &&
                  rw_cube_line_clear(&args->cubes, &line, before[0], before[1], before[2], at_source, line.steps));
}

#endif
