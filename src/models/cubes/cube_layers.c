/* Layers of a map that have a value for each cube above it: what the transmitter sees, what is filled, what deflects,
 * and in which pass visibility was found. */
#include "base/memory.h"
#include "base/parallel.h"
#include "models/cubes/cubes.h"

#include <math.h>
#include <stdlib.h>

size_t rw_cubes_bands(const rw_prediction *prediction)
{
    rw_cube_frame frame;
    rw_cubes_frame_find(prediction, &frame);
    double below = ((double)prediction->receivers.view.low_m - frame.z0_m) / frame.res_m;
    return frame.layers - (size_t)below - 1;
}

rw_vec3 rw_cubes_band_point(const rw_prediction *prediction, size_t cell, size_t band)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 point = rw_receiver_point(view, cell);
    return rw_vec3_of(point.x + centre.x, point.y + centre.y, (double)view->low_m + (double)band * view->res_m);
}

/* What is stored where. */
typedef struct cube_values {
    const rw_prediction *prediction;
    const rw_cubes_job *job;
    const uint8_t *seen; /* NULL: not asked for */
    rw_cubes_layers layers;
    int source[3];
} cube_values;

/* A bit for each kind of source: 1 reflection, 2 horizontal and 4 vertical diffraction. */
static int source_kinds(const rw_cubes *cubes, const int cube[3])
{
    size_t word = rw_cube_word(&cubes->view, cube[0], cube[1], cube[2]);
    int kinds = 0;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++)
        kinds |= (int)rw_cube_bit(cubes->kinds[kind], word, cube[0]) << kind;
    return kinds;
}

static void store_cube(const cube_values *to, size_t index, const int cube[3])
{
    const rw_cubes *cubes = &to->job->cubes;
    const int offset[3] = {cube[0] - to->source[0], cube[1] - to->source[1], cube[2] - to->source[2]};
    if (to->layers.visible)
        to->layers.visible[index] = (float)to->seen[rw_see_index(&cubes->view, cube)];
    if (to->layers.filled)
        to->layers.filled[index] =
            (float)rw_cube_bit(cubes->filled, rw_cube_word(&cubes->view, cube[0], cube[1], cube[2]), cube[0]);
    if (to->layers.sources)
        to->layers.sources[index] = (float)source_kinds(cubes, cube);
    if (to->layers.supercubes)
        to->layers.supercubes[index] = (float)rw_sight_pass(to->job->sight_line, offset);
}

static void store_cube_range(void *user, size_t begin, size_t end)
{
    const cube_values *to = user;
    size_t cells = to->prediction->receivers.view.columns * to->prediction->receivers.view.rows;
    for (size_t i = begin; i < end; i++) {
        float at[3];
        rw_cubes_locate(&to->job->cubes.frame, rw_cubes_band_point(to->prediction, i % cells, i / cells), at);
        const int cube[3] = {(int)floorf(at[0]), (int)floorf(at[1]), (int)floorf(at[2])};
        if (rw_cube_in_grid(&to->job->cubes.view, cube[0], cube[1], cube[2]))
            store_cube(to, i, cube);
    }
}

rw_status rw_cubes_layers_store(const rw_prediction *prediction, const rw_cubes_job *job, size_t bands,
                                const rw_cubes_layers *layers)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    const rw_cubes_view *cubes = &job->cubes.view;
    size_t count = (size_t)cubes->columns * (size_t)cubes->rows * (size_t)cubes->layers;
    cube_values to = {.prediction = prediction, .job = job, .layers = *layers};
    uint8_t *seen = NULL;
    for (int axis = 0; axis < 3; axis++)
        to.source[axis] = (int)floorf(job->search.source_sight[axis]);
    if (!layers->visible && !layers->filled && !layers->sources && !layers->supercubes)
        return RW_OK;
    if (layers->visible) {
        RW_TRY(rw_array_create(job->context, count, 1, "visibility of cubes", &seen));
        rw_status status = rw_cubes_job_read_seen(job, seen);
        if (status != RW_OK) {
            free(seen);
            return status;
        }
    }
    to.seen = seen;
    rw_status status = rw_parallel(job->context, bands * view->columns * view->rows, 4096, store_cube_range, &to);
    free(seen);
    return status;
}
