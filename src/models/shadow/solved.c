#include "models/shadow/solved.h"

#include "base/memory.h"
#include "models/engine/run/run.h"

#include <stdlib.h>
#include <string.h>

/* Without budgets, and of what budgets leave. */
#define SOLVED_BYTES 128e6
#define SOLVED_FRACTION 0.25

/* Layers that a cached position has. */
enum { PATH_LOSS, SIGMA, WALLS, LOS, MECHANISM, DEFLECTIONS, ARRAYS };

/* On what the values of a transmitter depend in an open model. */
typedef struct solved_key {
    double x_m, y_m, height_m, freq_hz;
} solved_key;

typedef struct solved_position {
    solved_key key;
    unsigned char *values; /* on the backend: the arrays one after the other */
    uint64_t last_use;
} solved_position;

struct rw_shadow_solved {
    rw_shadow_job *job;
    size_t cells;
    size_t offsets[ARRAYS + 1]; /* of the arrays; an empty one is not wanted */
    solved_position *positions;
    size_t count, capacity;
    uint64_t uses;
};

static rw_shadow_values list_solved_batch(const rw_shadow_job *job)
{
    return (rw_shadow_values){.path_loss_db = job->args.path_loss_db,
                              .sigma_db = job->ensemble.member_count ? job->ensemble.sum_db : NULL,
                              .walls = job->sight.arrays.walls,
                              .los = job->sight.arrays.los,
                              .mechanism = job->args.mechanism,
                              .deflections = job->args.deflections};
}

static void measure_arrays(rw_shadow_solved *solved)
{
    const rw_prediction *prediction = solved->job->prediction;
    rw_shadow_values values = list_solved_batch(solved->job);
    const size_t sizes[ARRAYS] = {[PATH_LOSS] = sizeof(float),
                                  [SIGMA] = values.sigma_db ? sizeof(float) : 0,
                                  [WALLS] =
                                      values.walls && rw_layer_is_wanted(prediction, "walls") ? sizeof(uint32_t) : 0,
                                  [LOS] = values.los && rw_layer_is_wanted(prediction, "los"),
                                  [MECHANISM] = values.mechanism && rw_layer_is_wanted(prediction, "mechanism"),
                                  [DEFLECTIONS] = values.deflections && rw_layer_is_wanted(prediction, "deflections")};
    for (size_t i = 0; i < ARRAYS; i++)
        solved->offsets[i + 1] = solved->offsets[i] + sizes[i] * solved->cells;
}

rw_status rw_shadow_solved_create(rw_shadow_job *job, rw_shadow_solved **solved_out)
{
    rw_shadow_solved *solved;
    const rw_receivers_view *receivers = &job->prediction->receivers.view;
    RW_TRY(rw_array_create(job->prediction->scene->context, 1, sizeof *solved, "solved positions", &solved));
    solved->job = job;
    solved->cells = receivers->columns * receivers->rows;
    measure_arrays(solved);
    *solved_out = solved;
    return RW_OK;
}

static void clear_solved_positions(rw_shadow_solved *solved)
{
    for (size_t i = 0; i < solved->count; i++)
        rw_device_free(solved->job->backend, solved->positions[i].values);
    solved->count = 0;
}

void rw_shadow_solved_destroy(rw_shadow_solved *solved)
{
    if (!solved)
        return;
    clear_solved_positions(solved);
    free(solved->positions);
    free(solved);
}

static int is_cacheable(const rw_shadow_solved *solved)
{
    return !solved->job->no_loss && !solved->job->prediction->compositions;
}

static solved_key find_solved_key(const rw_prediction *prediction, size_t transmitter)
{
    const rw_transmitter *at = &prediction->options->transmitters[transmitter];
    return (solved_key){at->x_m, at->y_m, at->height_m, rw_prediction_freq_hz(prediction, transmitter)};
}

static int is_same_key(solved_key a, solved_key b)
{
    return a.x_m == b.x_m && a.y_m == b.y_m && a.height_m == b.height_m && a.freq_hz == b.freq_hz;
}

static solved_position *find_solved(const rw_shadow_solved *solved, solved_key key)
{
    for (size_t i = 0; i < solved->count; i++)
        if (is_same_key(solved->positions[i].key, key))
            return &solved->positions[i];
    return NULL;
}

/* Sectors of a mast are next to each other in a table: that many before one are compared. */
#define NEXT_TO 16

static int is_first_of_key(const rw_prediction *prediction, size_t transmitter)
{
    solved_key key = find_solved_key(prediction, transmitter);
    for (size_t i = transmitter > NEXT_TO ? transmitter - NEXT_TO : 0; i < transmitter; i++)
        if (is_same_key(find_solved_key(prediction, i), key))
            return 0;
    return 1;
}

size_t rw_shadow_solved_count_new(const rw_shadow_solved *solved, const rw_prediction *prediction)
{
    size_t found = 0;
    if (!prediction->options->transmitters) /* an estimate for so many */
        return prediction->options->transmitter_count;
    for (size_t i = 0; i < prediction->options->transmitter_count; i++)
        found += is_first_of_key(prediction, i) &&
                 !(solved && is_cacheable(solved) && find_solved(solved, find_solved_key(prediction, i)));
    return found;
}

/* New transmitters from first on, of which no two are alike. */
static size_t count_new_transmitters(rw_shadow_solved *solved, size_t first, size_t count)
{
    size_t found = 1;
    if (!is_cacheable(solved))
        return count;
    for (; found < count; found++) {
        solved_key key = find_solved_key(solved->job->prediction, first + found);
        int is_known = find_solved(solved, key) != NULL;
        for (size_t i = first; i < first + found && !is_known; i++)
            is_known = is_same_key(find_solved_key(solved->job->prediction, i), key);
        if (is_known)
            break;
    }
    return found;
}

/* A position for other values: a new one while memory is left, else that of the longest time without use. NULL: none.
 */
static solved_position *find_free_position(rw_shadow_solved *solved)
{
    rw_context *context = solved->job->prediction->scene->context;
    size_t bytes = solved->offsets[ARRAYS], oldest = 0;
    double used = (double)(solved->count * bytes),
           limit = rw_device_buffer_bytes(solved->job->backend, SOLVED_BYTES, SOLVED_FRACTION);
    int has_budget = limit < SOLVED_BYTES;
    if (used + (double)bytes <= SOLVED_BYTES && (!has_budget || (double)bytes <= limit)) {
        if (rw_array_reserve(context, &solved->positions, &solved->capacity, solved->count + 1,
                             sizeof *solved->positions, "solved positions") != RW_OK)
            return NULL;
        solved_position *position = &solved->positions[solved->count];
        if (rw_device_alloc(context, solved->job->backend, bytes, "solved positions", &position->values) == RW_OK) {
            solved->count++;
            return position;
        }
    }
    for (size_t i = 1; i < solved->count; i++)
        if (solved->positions[i].last_use < solved->positions[oldest].last_use)
            oldest = i;
    return solved->count ? &solved->positions[oldest] : NULL;
}

/* Copies the values of a transmitter of the batch that was solved. */
static rw_status store_solved(rw_shadow_solved *solved, solved_key key, size_t in_batch)
{
    rw_shadow_job *job = solved->job;
    rw_context *context = job->prediction->scene->context;
    rw_shadow_values values = list_solved_batch(job);
    const void *arrays[ARRAYS] = {[PATH_LOSS] = values.path_loss_db,
                                  [SIGMA] = values.sigma_db,
                                  [WALLS] = values.walls,
                                  [LOS] = values.los,
                                  [MECHANISM] = values.mechanism,
                                  [DEFLECTIONS] = values.deflections};
    solved_position *position = find_free_position(solved);
    if (!position)
        return RW_OK;
    position->key = (solved_key){.freq_hz = -1}; /* until all of it is there */
    position->last_use = ++solved->uses;
    for (size_t i = 0; i < ARRAYS; i++) {
        size_t bytes = solved->offsets[i + 1] - solved->offsets[i];
        if (bytes)
            RW_TRY(rw_device_copy(context, job->backend, position->values + solved->offsets[i],
                                  (const unsigned char *)arrays[i] + in_batch * bytes, bytes));
    }
    position->key = key;
    return RW_OK;
}

static rw_shadow_values read_solved(rw_shadow_solved *solved, solved_position *position)
{
    const void *arrays[ARRAYS];
    position->last_use = ++solved->uses;
    for (size_t i = 0; i < ARRAYS; i++)
        arrays[i] = solved->offsets[i + 1] > solved->offsets[i] ? position->values + solved->offsets[i] : NULL;
    return (rw_shadow_values){.path_loss_db = arrays[PATH_LOSS],
                              .sigma_db = arrays[SIGMA],
                              .walls = arrays[WALLS],
                              .los = arrays[LOS],
                              .mechanism = arrays[MECHANISM],
                              .deflections = arrays[DEFLECTIONS]};
}

/* Runs the job; if memory is short, again without what is cached. */
static rw_status solve_new_transmitters(rw_shadow_solved *solved, size_t first, size_t count)
{
    rw_status status = rw_shadow_job_run(solved->job, first, count);
    if (status != RW_TOO_LARGE || !solved->count)
        return status;
    clear_solved_positions(solved);
    return rw_shadow_job_run(solved->job, first, count);
}

rw_status rw_shadow_solved_run(rw_shadow_solved *solved, size_t first, size_t count, size_t *now,
                               rw_shadow_values *values)
{
    solved_position *position =
        is_cacheable(solved) ? find_solved(solved, find_solved_key(solved->job->prediction, first)) : NULL;
    *now = position ? 1 : count_new_transmitters(solved, first, count);
    if (position) {
        *values = read_solved(solved, position);
        return RW_OK;
    }
    RW_TRY(solve_new_transmitters(solved, first, *now));
    *values = list_solved_batch(solved->job);
    for (size_t i = 0; i < *now && is_cacheable(solved); i++)
        RW_TRY(store_solved(solved, find_solved_key(solved->job->prediction, first + i), i));
    return RW_OK;
}
