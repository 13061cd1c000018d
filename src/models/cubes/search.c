/* The search of the cubes model on a backend: memory, receivers in cubes, level after level. */
#include "models/cubes/cubes.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "field/deflection.h"
#include "models/cubes/launch.k.h"

#include <math.h>
#include <stdlib.h>

static rw_status take(rw_cubes_job *job, int slot, size_t bytes, const char *what, void *pointer_out)
{
    RW_TRY(rw_device_alloc(job->context, job->backend, bytes, what, &job->owned[slot]));
    *(void **)pointer_out = job->owned[slot];
    return RW_OK;
}

static rw_status take_copy(rw_cubes_job *job, int slot, const void *host, size_t bytes, void *pointer_out)
{
    RW_TRY(take(job, slot, bytes, "receivers", pointer_out));
    return bytes ? rw_device_upload(job->context, job->backend, job->owned[slot], host, bytes) : RW_OK;
}

/* Receivers by cube, on the host, on their way to the backend. */
typedef struct receiver_lists {
    uint32_t *bits, *before, *first, *cube_of;
    float *points;
} receiver_lists;

static void free_lists(receiver_lists *lists)
{
    free(lists->bits);
    free(lists->before);
    free(lists->first);
    free(lists->cube_of);
    free(lists->points);
}

static rw_status allocate_lists(rw_context *context, size_t words, size_t count, receiver_lists *lists)
{
    RW_TRY(rw_array_create(context, words, sizeof(uint32_t), "receivers in cubes", &lists->bits));
    RW_TRY(rw_array_create(context, words, sizeof(uint32_t), "receivers in cubes", &lists->before));
    RW_TRY(rw_array_create(context, count + 2, sizeof(uint32_t), "receivers in cubes", &lists->first));
    RW_TRY(rw_array_create(context, count, sizeof(uint32_t), "receivers in cubes", &lists->cube_of));
    return rw_array_create(context, 3 * count, sizeof(float), "receivers in cubes", &lists->points);
}

static uint32_t rank_of(const receiver_lists *lists, uint32_t cube)
{
    uint32_t below = (1u << cube % 32) - 1u;
    return lists->before[cube / 32] + rw_count_bits(lists->bits[cube / 32] & below);
}

/* Sorts the receivers by cube; those off the grid keep no path. */
static rw_status list_receivers(rw_cubes_job *job, const rw_cubes_points *receivers, receiver_lists *lists)
{
    const rw_cubes *cubes = &job->cubes;
    size_t inside = 0;
    uint32_t seen = 0;
    RW_TRY(allocate_lists(job->context, cubes->cube_words, receivers->count, lists));
    for (size_t n = 0; n < receivers->count; n++) {
        float at[3];
        rw_cubes_locate(&cubes->frame, receivers->points[n], at);
        int i = (int)floorf(at[0]), j = (int)floorf(at[1]), k = (int)floorf(at[2]);
        lists->cube_of[n] = UINT32_MAX;
        if (!rw_cube_in_grid(&cubes->view, i, j, k))
            continue;
        job->search.receiver_top = k + 1 > job->search.receiver_top ? k + 1 : job->search.receiver_top;
        lists->cube_of[n] = (uint32_t)rw_cube_index(&cubes->view, i, j, k);
        lists->bits[lists->cube_of[n] / 32] |= 1u << (i & 31);
        inside++;
    }
    for (size_t word = 0; word < cubes->cube_words; word++) {
        lists->before[word] = seen;
        seen += rw_count_bits(lists->bits[word]);
    }
    uint32_t *next = lists->first + 1;
    for (size_t n = 0; n < receivers->count; n++)
        if (lists->cube_of[n] != UINT32_MAX)
            next[rank_of(lists, lists->cube_of[n]) + 1]++;
    for (uint32_t i = 1; i <= seen; i++)
        next[i] += next[i - 1];
    for (size_t n = 0; n < receivers->count; n++) {
        if (lists->cube_of[n] == UINT32_MAX)
            continue;
        uint32_t place = next[rank_of(lists, lists->cube_of[n])]++;
        rw_cubes_locate(&cubes->frame, receivers->points[n], lists->points + 3 * (size_t)place);
        job->order[place] = (uint32_t)n;
    }
    job->search.receivers.count = inside;
    return RW_OK;
}

static rw_status place_receivers(rw_cubes_job *job, const rw_cubes_points *receivers)
{
    receiver_lists lists = {0};
    rw_cube_receivers *view = &job->search.receivers;
    RW_TRY(rw_array_create(job->context, receivers->count, sizeof *job->order, "receivers", &job->order));
    size_t words = job->cubes.cube_words * sizeof(uint32_t);
    rw_status status = list_receivers(job, receivers, &lists);
    if (status == RW_OK)
        status = take_copy(job, 0, lists.bits, words, &view->bits);
    if (status == RW_OK)
        status = take_copy(job, 1, lists.before, words, &view->before);
    if (status == RW_OK)
        status = take_copy(job, 2, lists.first, (receivers->count + 1) * sizeof(uint32_t), &view->first);
    if (status == RW_OK)
        status = take_copy(job, 3, lists.points, 3 * receivers->count * sizeof(float), &view->points);
    for (size_t word = 0; status == RW_OK && word < job->cubes.cube_words; word++)
        lists.bits[word] |= job->cubes.filled[word] | job->cubes.source[word];
    if (status == RW_OK)
        status = take_copy(job, 10, lists.bits, words, &job->search.occupied);
    free_lists(&lists);
    return status;
}

static int count_of(const int limits[RW_CUBE_KINDS], uint32_t state)
{
    int counts[RW_CUBE_KINDS];
    rw_cube_counts(limits, state, counts);
    return counts[0] + counts[1] + counts[2];
}

static uint32_t most_states_a_level(const rw_cube_search *search, int levels)
{
    uint32_t most = 0;
    for (int level = 0; level <= levels; level++) {
        uint32_t states = 0;
        for (uint32_t state = 0; state < search->states; state++)
            states += count_of(search->limits, state) == level;
        most = states > most ? states : most;
    }
    return most;
}

static rw_status take_memory(rw_cubes_job *job)
{
    rw_cube_search *search = &job->search;
    size_t pieces = search->cubes.item_count, receivers = search->receivers.count;
    job->label_count = pieces * search->states;
    if ((double)job->label_count * 28 > 4e9 * 28 || job->label_count >= RW_CUBE_DIRECT)
        return rw_fail(job->context, RW_TOO_LARGE,
                       "%zu pieces of surfaces and edges in %u states would need %.3g GB; raise --res, give --area or "
                       "allow fewer deflections",
                       pieces, search->states, (double)pieces * search->states * 28 / 1e9);
    RW_TRY(take(job, 4, job->label_count * sizeof(uint64_t), "labels of the cubes model", &search->keys));
    RW_TRY(take(job, 5, job->label_count * sizeof(rw_cube_label), "labels of the cubes model", &search->labels));
    RW_TRY(take(job, 6, receivers * sizeof(uint64_t), "receivers", &search->best));
    RW_TRY(take(job, 7, receivers, "receivers", &search->sight));
    RW_TRY(take(job, 8, pieces * most_states_a_level(search, job->levels) * sizeof(uint32_t), "labels", &search->list));
    return take(job, 9, sizeof(uint32_t), "labels", &search->list_count);
}

static rw_status build(const rw_scene *scene, const rw_cube_frame *frame, const rw_cubes_points *receivers,
                       rw_cubes_job *job)
{
    RW_TRY(rw_cubes_create(scene, frame, &job->cubes));
    RW_TRY(rw_cubes_put(job->context, job->backend, &job->cubes, &job->placed));
    job->search.cubes = job->placed.view;
    RW_TRY(place_receivers(job, receivers));
    return take_memory(job);
}

rw_status rw_cubes_job_create(const rw_scene *scene, const rw_cube_frame *frame, const rw_cubes_points *receivers,
                              const int limits[RW_CUBE_KINDS], rw_backend backend, rw_cubes_job *job)
{
    *job = (rw_cubes_job){.context = scene->context, .backend = backend};
    job->search.states = 1;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++) {
        job->search.limits[kind] = limits[kind];
        job->search.margins_db[kind] =
            kind == RW_CUBE_REFLECTION ? RW_CUBES_REFLECTION_MARGIN_DB : RW_CUBES_EDGE_MARGIN_DB;
        job->search.states *= (uint32_t)(limits[kind] + 1);
        job->levels += limits[kind];
    }
    rw_status status = build(scene, frame, receivers, job);
    if (status != RW_OK)
        rw_cubes_job_destroy(job);
    return status;
}

void rw_cubes_job_destroy(rw_cubes_job *job)
{
    for (int i = 0; i < RW_CUBES_OWNED; i++)
        if (job->owned[i])
            rw_device_free(job->backend, job->owned[i]);
    rw_cubes_remove(job->backend, &job->placed);
    rw_cubes_destroy(&job->cubes);
    free(job->order);
    *job = (rw_cubes_job){0};
}

/* Labels of the level's states into the list. */
static rw_status settle(rw_cubes_job *job, int level, uint32_t *count)
{
    rw_cube_search *search = &job->search;
    RW_TRY(rw_device_clear(job->context, job->backend, search->list_count, sizeof *search->list_count));
    for (uint32_t state = 0; state < search->states; state++) {
        if (count_of(search->limits, state) != level)
            continue;
        struct rw_cube_settle_args args = {*search, state};
        RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_cube_settle, &args, search->cubes.item_count));
    }
    return rw_device_download(job->context, job->backend, count, search->list_count, sizeof *count);
}

static rw_status prepare(rw_cubes_job *job, rw_vec3 source, double freq_hz)
{
    static const rw_deflection_kind kinds[RW_CUBE_KINDS] = {RW_DEFLECTION_REFLECTION, RW_DEFLECTION_ROOF,
                                                            RW_DEFLECTION_STREET};
    rw_cube_search *search = &job->search;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++) {
        rw_deflection_setting setting = rw_deflection_setting_default(kinds[kind], freq_hz);
        RW_TRY(rw_deflection_fit(job->context, kinds[kind], &setting, &search->deflections[kind], NULL));
    }
    rw_cubes_locate(&job->cubes.frame, source, search->source);
    search->decibels_at_one = (float)(20 * log10(4 * RW_PI * job->cubes.frame.res_m * freq_hz / RW_SPEED_OF_LIGHT_M_S));
    RW_TRY(rw_device_clear(job->context, job->backend, search->keys, job->label_count * sizeof(uint64_t)));
    RW_TRY(rw_device_clear(job->context, job->backend, search->best, search->receivers.count * sizeof(uint64_t)));
    return rw_device_clear(job->context, job->backend, search->sight, search->receivers.count);
}

rw_status rw_cubes_job_run(rw_cubes_job *job, rw_vec3 source, double freq_hz)
{
    rw_cube_search *search = &job->search;
    RW_TRY(prepare(job, source, freq_hz));
    struct rw_cube_direct_args direct = {*search};
    RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_cube_direct, &direct,
                            search->receivers.count + search->cubes.item_count));
    for (int level = 0; level < job->levels; level++) {
        uint32_t count = 0;
        RW_TRY(settle(job, level, &count));
        struct rw_cube_launch_args launch = {*search};
        RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_cube_launch, &launch, count));
        job->launched += count;
    }
    return rw_device_wait(job->context, job->backend);
}

static void read_path(const rw_cubes_job *job, uint64_t key, rw_cubes_answer *answer)
{
    static const uint8_t mechanisms[RW_CUBE_KINDS] = {RW_CUBES_REFLECTIONS, RW_CUBES_ROOFS, RW_CUBES_CORNERS};
    uint32_t label = rw_cube_key_label(key);
    int counts[RW_CUBE_KINDS], kinds = 0;
    answer->path_loss_db = rw_cube_key_loss_db(key);
    if (label == RW_CUBE_DIRECT)
        return;
    rw_cube_counts(job->search.limits, label % job->search.states, counts);
    counts[job->cubes.elements[job->cubes.items[label / job->search.states].element].kind]++;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++) {
        kinds += counts[kind] > 0;
        answer->deflections = (uint8_t)(answer->deflections + counts[kind]);
        if (counts[kind])
            answer->mechanism = kinds > 1 ? RW_CUBES_SEVERAL : mechanisms[kind];
    }
}

rw_status rw_cubes_job_read(const rw_cubes_job *job, rw_cubes_answer *answers)
{
    size_t count = job->search.receivers.count;
    uint64_t *best;
    uint8_t *sight = NULL;
    RW_TRY(rw_array_create(job->context, count, sizeof *best, "answers", &best));
    rw_status status = rw_array_create(job->context, count, 1, "answers", &sight);
    if (status == RW_OK)
        status = rw_device_download(job->context, job->backend, best, job->search.best, count * sizeof *best);
    if (status == RW_OK)
        status = rw_device_download(job->context, job->backend, sight, job->search.sight, count);
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        rw_cubes_answer *answer = &answers[job->order[i]];
        *answer = (rw_cubes_answer){.path_loss_db = INFINITY, .sight = sight[i]};
        if (best[i])
            read_path(job, best[i], answer);
    }
    free(best);
    free(sight);
    return status;
}
