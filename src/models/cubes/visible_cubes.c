/* rw_visible_cubes: visibility in a grid of the caller's own cubes. */
#include "base/memory.h"
#include "base/options.h"
#include "models/cubes/sight/sight.h"

#include <stdlib.h>

#define SIDE_MAX 32767 /* lines are exact up to here (cube_line.k.h) */

void rw_visible_cubes_options_init_sized(rw_visible_cubes_options *options, size_t size)
{
    rw_visible_cubes_options own = {.method = "supercubes", .block = RW_SIGHT_BLOCK_DEFAULT};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status check_visible_cubes_options(rw_context *context, const rw_visible_cubes_options *options,
                                             rw_sight_line *line)
{
    const size_t sides[3] = {options->columns, options->rows, options->layers};
    for (int axis = 0; axis < 3; axis++) {
        if (sides[axis] < 1 || sides[axis] > SIDE_MAX)
            return rw_fail(context, RW_BAD_CALL, "a grid of cubes has 1 to %d columns, rows and layers, not %zu",
                           SIDE_MAX, sides[axis]);
        if (options->source[axis] >= sides[axis])
            return rw_fail(context, RW_BAD_CALL, "the source %zu, %zu, %zu is not in the grid of %zu x %zu x %zu cubes",
                           options->source[0], options->source[1], options->source[2], sides[0], sides[1], sides[2]);
    }
    if ((double)sides[0] * (double)sides[1] * (double)sides[2] > 2147483647.0)
        return rw_fail(context, RW_TOO_LARGE, "a grid of cubes has at most 2^31 - 1 of them");
    int method = options->method ? rw_sight_method_find(options->method) : -1;
    if (method < 0 || method == RW_SIGHT_EXACT)
        return rw_fail(context, RW_BAD_CALL, "visibility of cubes has no method '%s'; it has cubes, supercubes, rings",
                       options->method ? options->method : "");
    if (options->block < 1 || options->block > RW_SIGHT_BLOCK_MAX)
        return rw_fail(context, RW_BAD_CALL, "a block has 1 to %d cubes a side, not %d", RW_SIGHT_BLOCK_MAX,
                       options->block);
    if (!options->filled)
        return rw_fail(context, RW_BAD_CALL, "the grid does not say which cubes are filled");
    *line = (rw_sight_line){(rw_sight_method)method, options->block};
    return RW_OK;
}

static rw_status pack_filled_cubes(rw_context *context, const rw_visible_cubes_options *options, rw_cubes_view *view,
                                   uint32_t **bits_out)
{
    *view = (rw_cubes_view){.columns = (int)options->columns,
                            .rows = (int)options->rows,
                            .layers = (int)options->layers,
                            .words = (int)((options->columns + 31) / 32)};
    size_t rows = options->rows * options->layers;
    uint32_t *bits;
    RW_TRY(rw_array_create(context, rows * (size_t)view->words, sizeof *bits, "cubes", &bits));
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < options->columns; i++)
            if (options->filled[row * options->columns + i])
                bits[row * (size_t)view->words + i / 32] |= 1u << (i & 31);
    *bits_out = bits;
    return RW_OK;
}

/* Memory of the backend: bits, then answers. */
static rw_status find_visible_cubes(rw_context *context, rw_cubes_view *view, const uint32_t *bits,
                                    const float source[3], rw_sight_line line, unsigned char *visible)
{
    rw_backend backend = context->backend;
    size_t rows = (size_t)view->rows * (size_t)view->layers, bytes = rows * (size_t)view->words * sizeof *bits;
    size_t count = rows * (size_t)view->columns;
    void *on_device[2] = {NULL, NULL};
    rw_status status = rw_device_alloc(context, backend, bytes, "cubes", &on_device[0]);
    if (status == RW_OK)
        status = rw_device_alloc(context, backend, count, "visibility of cubes", &on_device[1]);
    if (status == RW_OK)
        status = rw_device_upload(context, backend, on_device[0], bits, bytes);
    view->filled = on_device[0];
    if (status == RW_OK)
        status = rw_cube_visibility(context, backend, view, source, line, on_device[1]);
    if (status == RW_OK)
        status = rw_device_download(context, backend, visible, on_device[1], count);
    for (int i = 0; i < 2; i++)
        if (on_device[i])
            rw_device_free(backend, on_device[i]);
    return status;
}

rw_status rw_visible_cubes(rw_context *context, const rw_visible_cubes_options *user_options, unsigned char *visible)
{
    rw_visible_cubes_options options;
    rw_sight_line line;
    rw_cubes_view view;
    uint32_t *bits;
    rw_visible_cubes_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(check_visible_cubes_options(context, &options, &line));
    RW_TRY(pack_filled_cubes(context, &options, &view, &bits));
    const float source[3] = {(float)options.source[0] + 0.5f, (float)options.source[1] + 0.5f,
                             (float)options.source[2] + 0.5f};
    rw_status status = find_visible_cubes(context, &view, bits, source, line, visible);
    free(bits);
    return status;
}
