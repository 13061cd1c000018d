/* Visibility of all cubes from one: chooses the kernels of a way and launches them pass by pass. */
#include "base/memory.h"
#include "models/cubes/sight/sight.h"

#include <stdlib.h>
#include <string.h>

int rw_sight_method_find(const char *word)
{
#define WORD(name, word) word,
    static const char *const words[] = {RW_SIGHT_METHODS(WORD)};
#undef WORD
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

int rw_sight_pass(rw_sight_line line, const int to[3])
{
    int number[3], longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        longest = abs(to[axis]) > longest ? abs(to[axis]) : longest;
        number[axis] = line.block ? rw_supercube_number(to[axis], line.block) : 0;
    }
    return line.method == RW_SIGHT_SUPERCUBES                ? rw_supercube_pass(number)
           : line.method == RW_SIGHT_RINGS && line.block > 0 ? longest / line.block
                                                             : 0;
}

static void sizes_of(const rw_cubes_view *cubes, int sizes[3])
{
    sizes[0] = cubes->columns;
    sizes[1] = cubes->rows;
    sizes[2] = cubes->layers;
}

/* Cubes within so many of the source along each axis, as far as the grid goes; one axis may be cut further. */
static rw_see_box box_around(const rw_cubes_view *cubes, const int source[3], const int reach[3], int axis_cut,
                             int low_cut, int high_cut)
{
    int sizes[3], low[3], high[3];
    rw_see_box none = {{0, 0, 0}, 1, 1, 0};
    sizes_of(cubes, sizes);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = axis == axis_cut ? low_cut : -reach[axis];
        high[axis] = axis == axis_cut ? high_cut : reach[axis];
        low[axis] = low[axis] < -source[axis] ? -source[axis] : low[axis];
        high[axis] = high[axis] > sizes[axis] - 1 - source[axis] ? sizes[axis] - 1 - source[axis] : high[axis];
        if (high[axis] < low[axis])
            return none;
    }
    rw_see_box box = {{source[0] + low[0], source[1] + low[1], source[2] + low[2]},
                      (uint32_t)(high[0] - low[0] + 1),
                      (uint32_t)(high[1] - low[1] + 1),
                      (uint32_t)(high[2] - low[2] + 1)};
    return box;
}

/* A ring: below and above the box inside it, then beside it along y, then along x. Returns how many cubes it has. */
static size_t clip_ring_boxes(struct rw_see_rings_args *args, int start, int end)
{
    size_t count = 0;
    for (int index = 0; index < RW_SEE_BOXES; index++) {
        int axis = 2 - index / 2, reach[3];
        for (int i = 0; i < 3; i++)
            reach[i] = i > axis ? start - 1 : end;
        args->boxes[index] = index % 2
                                 ? box_around(&args->cubes, args->source, reach, axis, start, end)
                                 : box_around(&args->cubes, args->source, reach, axis, -end, start ? -start : end);
        if (start == 0 && index > 0)
            args->boxes[index].depth = 0; /* the first is the whole box */
        count += (size_t)args->boxes[index].width * args->boxes[index].height * args->boxes[index].depth;
    }
    return count;
}

static rw_status see_by_rings(rw_context *context, rw_backend backend, struct rw_see_rings_args *args, int block)
{
    for (args->start = 0;; args->start += block) {
        size_t count = clip_ring_boxes(args, args->start, args->start + block - 1);
        if (count == 0)
            return RW_OK;
        RW_TRY(rw_device_launch(context, backend, RW_KERNEL_see_rings, args, count));
    }
}

/* The supercubes of a grid, those of a pass after each other. */
typedef struct supercube_passes {
    rw_supercube *supercubes;
    size_t count;
    size_t *first; /* of each pass, and one more */
    int passes;
} supercube_passes;

static void free_passes(supercube_passes *passes)
{
    free(passes->supercubes);
    free(passes->first);
}

/* One supercube of a box of them, x running fastest. */
static rw_supercube supercube_at(const int low[3], const size_t counts[3], size_t index)
{
    rw_supercube supercube = {{low[0] + (int)(index % counts[0]), low[1] + (int)(index / counts[0] % counts[1]),
                               low[2] + (int)(index / (counts[0] * counts[1]))}};
    return supercube;
}

/* Algorithm 1's GETNEIGHBORINGSUPERCUBES for all steps: sorts supercubes by pass. */
static rw_status sort_supercubes(rw_context *context, const struct rw_see_supercubes_args *args,
                                 supercube_passes *passes)
{
    int sizes[3], low[3];
    size_t counts[3];
    sizes_of(&args->cubes, sizes);
    passes->passes = 1;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = rw_supercube_number(-args->source[axis], args->block);
        int high = rw_supercube_number(sizes[axis] - 1 - args->source[axis], args->block);
        int further = high - low[axis];
        counts[axis] = (size_t)further + 1;
        int farthest = -rw_supercube_boundary(low[axis]) > high ? -rw_supercube_boundary(low[axis]) : high;
        passes->passes += farthest;
    }
    passes->count = counts[0] * counts[1] * counts[2];
    RW_TRY(rw_array_create(context, passes->count, sizeof *passes->supercubes, "supercubes", &passes->supercubes));
    RW_TRY(rw_array_create(context, (size_t)passes->passes + 2, sizeof *passes->first, "supercubes", &passes->first));
    size_t *next = passes->first + 1; /* shifted by one: once filled, it is the first of each pass */
    for (size_t i = 0; i < passes->count; i++)
        next[rw_supercube_pass(supercube_at(low, counts, i).number) + 1]++;
    for (int pass = 1; pass <= passes->passes; pass++)
        next[pass] += next[pass - 1];
    for (size_t i = 0; i < passes->count; i++) {
        rw_supercube supercube = supercube_at(low, counts, i);
        passes->supercubes[next[rw_supercube_pass(supercube.number)]++] = supercube;
    }
    return RW_OK;
}

static rw_status draw_passes(rw_context *context, rw_backend backend, struct rw_see_supercubes_args *args,
                             const supercube_passes *passes, rw_supercube *on_device)
{
    RW_TRY(rw_device_upload(context, backend, on_device, passes->supercubes, passes->count * sizeof *on_device));
    for (int pass = 0; pass < passes->passes; pass++) {
        size_t count = passes->first[pass + 1] - passes->first[pass];
        args->supercubes = on_device + passes->first[pass];
        if (count)
            RW_TRY(rw_device_launch(context, backend, RW_KERNEL_see_supercubes, args, count * args->cubes_each));
    }
    return rw_device_wait(context, backend); /* the list is given back */
}

static rw_status see_by_supercubes(rw_context *context, rw_backend backend, struct rw_see_supercubes_args *args)
{
    supercube_passes passes = {0};
    int sizes[3];
    sizes_of(&args->cubes, sizes);
    args->cubes_each = 1;
    for (int axis = 0; axis < 3; axis++) {
        int beyond = sizes[axis] - args->source[axis], far = beyond > args->source[axis] ? beyond : args->source[axis];
        args->extent[axis] = (uint32_t)(far < args->block ? far : args->block);
        args->cubes_each *= args->extent[axis];
    }
    rw_supercube *on_device = NULL;
    rw_status status = sort_supercubes(context, args, &passes);
    if (status == RW_OK)
        status = rw_device_alloc(context, backend, passes.count * sizeof *on_device, "supercubes", (void **)&on_device);
    if (status == RW_OK)
        status = draw_passes(context, backend, args, &passes, on_device);
    if (on_device)
        rw_device_free(backend, on_device);
    free_passes(&passes);
    return status;
}

rw_status rw_cube_visibility(rw_context *context, rw_backend backend, const rw_cubes_view *cubes, const float source[3],
                             rw_sight_line line, uint8_t *seen)
{
    const int at[3] = {(int)floorf(source[0]), (int)floorf(source[1]), (int)floorf(source[2])};
    size_t count = (size_t)cubes->columns * (size_t)cubes->rows * (size_t)cubes->layers;
    struct rw_see_exactly_args exactly = {.cubes = *cubes, .source = {source[0], source[1], source[2]}, .seen = seen};
    struct rw_see_cubes_args lines = {.cubes = *cubes, .source = {at[0], at[1], at[2]}, .seen = seen};
    struct rw_see_rings_args rings = {.cubes = *cubes, .source = {at[0], at[1], at[2]}, .seen = seen};
    struct rw_see_supercubes_args supercubes = {
        .cubes = *cubes, .source = {at[0], at[1], at[2]}, .block = line.block, .seen = seen};
    switch (line.method) {
    case RW_SIGHT_EXACT:
        return rw_device_launch(context, backend, RW_KERNEL_see_exactly, &exactly, count);
    case RW_SIGHT_CUBES:
        return rw_device_launch(context, backend, RW_KERNEL_see_cubes, &lines, count);
    case RW_SIGHT_SUPERCUBES:
        return see_by_supercubes(context, backend, &supercubes);
    case RW_SIGHT_RINGS:
        break;
    }
    return see_by_rings(context, backend, &rings, line.block);
}
