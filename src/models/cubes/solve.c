/* The search of the cubes model on a backend: memory, receivers in cubes, level after level. */
#include "models/cubes/cubes.h"

#include "base/maths/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "device/device.h"
#include "models/cubes/launch_rays.k.h"

#include <math.h>
#include <stdlib.h>

rw_status rw_cubes_allocate(rw_cubes_job *job, int slot, size_t bytes, const char *what, void *pointer_out)
{
    RW_TRY(rw_device_alloc(job->context, job->backend, bytes, what, &job->owned[slot]));
    job->bytes += (double)bytes;
    *(void **)pointer_out = job->owned[slot];
    return RW_OK;
}

static int count_of(const int limits[RW_CUBE_KINDS], uint32_t state)
{
    int counts[RW_CUBE_KINDS];
    rw_cube_counts(limits, state, counts);
    return counts[0] + counts[1] + counts[2];
}

static uint32_t max_states_per_level(const rw_cube_search *search, int levels)
{
    uint32_t max_states = 0;
    for (int level = 0; level <= levels; level++) {
        uint32_t states = 0;
        for (uint32_t state = 0; state < search->states; state++)
            states += count_of(search->limits, state) == level;
        max_states = states > max_states ? states : max_states;
    }
    return max_states;
}

static rw_status allocate_cube_labels(rw_cubes_job *job)
{
    rw_cube_search *search = &job->search;
    size_t pieces = search->cubes.item_count, receivers = search->receiver_count;
    job->label_count = pieces * search->states;
    if ((double)job->label_count * 28 > 4e9 * 28 || job->label_count >= RW_CUBE_DIRECT)
        return rw_fail(job->context, RW_TOO_LARGE,
                       "%zu pieces of surfaces and edges in %u states would need %.3g GB; give a larger res, give a "
                       "smaller area or "
                       "allow fewer deflections",
                       pieces, search->states, (double)pieces * search->states * 28 / 1e9);
    RW_TRY(rw_cubes_allocate(job, RW_CUBES_KEYS, job->label_count * sizeof(uint64_t), "labels of the cubes model",
                             &search->keys));
    RW_TRY(rw_cubes_allocate(job, RW_CUBES_LABELS, job->label_count * sizeof(rw_cube_label),
                             "labels of the cubes model", &search->labels));
    RW_TRY(rw_cubes_allocate(job, RW_CUBES_BEST, receivers * sizeof(uint64_t), "receivers", &search->best));
    RW_TRY(rw_cubes_allocate(job, RW_CUBES_IN_SIGHT, receivers, "receivers", &search->sight));
    RW_TRY(rw_cubes_allocate(job, RW_CUBES_LIST, pieces * max_states_per_level(search, job->levels) * sizeof(uint32_t),
                             "labels", &search->list));
    return rw_cubes_allocate(job, RW_CUBES_LIST_COUNT, sizeof(uint32_t), "labels", &search->list_count);
}

/* Points of surfaces and edges are rounded to float over the whole grid. */
static rw_status find_world(rw_cubes_job *job)
{
    const rw_cube_frame *frame = &job->cubes.frame;
    rw_cubes_world *world = &job->search.world;
    rw_vec2 centre = job->scene->prepared->grid.centre;
    world->corner_m = rw_vec3_of(frame->x0_m - centre.x, frame->y0_m - centre.y, frame->z0_m);
    world->res_m = frame->res_m;
    world->margin_m = 0.002 + 1e-6 * frame->res_m * (double)(frame->columns + frame->rows);
    return rw_prepared_view(job->scene, job->backend, &world->grid);
}

static rw_status build_cubes_job(const rw_scene *scene, const rw_cube_frame *frame, const rw_cubes_points *receivers,
                                 rw_cubes_job *job)
{
    RW_TRY(rw_cubes_create(scene, frame, &job->cubes));
    RW_TRY(rw_cubes_upload(job->context, job->backend, &job->cubes, &job->on_device));
    job->search.cubes = job->on_device.view;
    RW_TRY(find_world(job));
    RW_TRY(rw_cubes_upload_lists(job, receivers));
    if (job->search.exact)
        RW_TRY(rw_cubes_upload_solid(job));
    return allocate_cube_labels(job);
}

/* Rays in flight; a label whose rays do not fit is launched by itself. */
static uint32_t choose_rays(rw_backend backend)
{
    const double default_rays = 1 << 23, each = 2 * sizeof(rw_cube_ray_item) + sizeof(rw_cube_hit);
    return (uint32_t)fmax(rw_device_buffer_bytes(backend, default_rays * each, 0.5) / each, 1 << 10);
}

rw_status rw_cubes_job_create(const rw_scene *scene, const rw_cube_frame *frame, const rw_cubes_points *receivers,
                              const int limits[RW_CUBE_KINDS], int exact, rw_backend backend, rw_cubes_job *job)
{
    *job = (rw_cubes_job){.context = scene->context, .backend = backend, .scene = scene, .points = receivers->points};
    job->search.states = 1;
    job->search.exact = exact;
    job->by_rays = backend == RW_BACKEND_CUDA;
    job->search.loss_max_db = RW_CUBES_LOSS_MAX_DB;
    job->search.margins_db[RW_CUBE_REFLECTION] = RW_CUBES_REFLECTION_MARGIN_DB;
    job->search.margins_db[RW_CUBE_HORIZONTAL] = RW_CUBES_HORIZONTAL_MARGIN_DB;
    job->search.margins_db[RW_CUBE_VERTICAL] = RW_CUBES_VERTICAL_MARGIN_DB;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++) {
        job->search.limits[kind] = limits[kind];
        job->search.states *= (uint32_t)(limits[kind] + 1);
        job->levels += limits[kind];
    }
    rw_status status = build_cubes_job(scene, frame, receivers, job);
    job->rays_together = choose_rays(backend);
    if (status != RW_OK)
        rw_cubes_job_destroy(job);
    return status;
}

static size_t cube_count(const rw_cubes_job *job)
{
    const rw_cubes_view *view = &job->cubes.view;
    return (size_t)view->columns * (size_t)view->rows * (size_t)view->layers;
}

rw_status rw_cubes_job_see(rw_cubes_job *job, rw_sight_line method, int store_seen)
{
    uint8_t *seen = NULL;
    if (method.method != RW_SIGHT_EXACT || store_seen)
        RW_TRY(rw_cubes_allocate(job, RW_CUBES_SEEN, cube_count(job), "visibility of cubes", &seen));
    job->sight_line = method;
    job->search.seen = method.method == RW_SIGHT_EXACT ? NULL : seen;
    return RW_OK;
}

rw_status rw_cubes_job_read_seen(const rw_cubes_job *job, uint8_t *seen)
{
    return rw_device_download(job->context, job->backend, seen, job->owned[RW_CUBES_SEEN], cube_count(job));
}

void rw_cubes_job_destroy(rw_cubes_job *job)
{
    for (int i = 0; i < RW_CUBES_OWNED; i++)
        if (job->owned[i])
            rw_device_free(job->backend, job->owned[i]);
    rw_cubes_release(job->backend, &job->on_device);
    rw_cubes_destroy(&job->cubes);
    free(job->amplitudes);
    *job = (rw_cubes_job){0};
}

/* Labels of the level's states into the list. */
static rw_status commit_level_labels(rw_cubes_job *job, int level, uint32_t *count)
{
    rw_cube_search *search = &job->search;
    RW_TRY(rw_device_clear(job->context, job->backend, search->list_count, sizeof *search->list_count));
    for (uint32_t state = 0; state < search->states; state++) {
        if (count_of(search->limits, state) != level)
            continue;
        struct rw_cube_commit_args args = {*search, state};
        RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_cube_commit, &args, search->cubes.item_count));
    }
    return rw_device_download(job->context, job->backend, count, search->list_count, sizeof *count);
}

static rw_status prepare_cube_search(rw_cubes_job *job, rw_vec3 source, double freq_hz, const rw_cubes_costs *costs)
{
    rw_cube_search *search = &job->search;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++)
        search->deflections[kind] = costs->deflections[kind];
    rw_cubes_locate(&job->cubes.frame, source, search->source);
    rw_cubes_lift(job, source, search->source, search->source_sight);
    search->decibels_at_one =
        (float)(costs->offset_db + 20 * log10(4 * RW_PI * job->cubes.frame.res_m * freq_hz / RW_SPEED_OF_LIGHT_M_S));
    RW_TRY(rw_device_clear(job->context, job->backend, search->keys, job->label_count * sizeof(uint64_t)));
    RW_TRY(rw_device_clear(job->context, job->backend, search->best, search->receiver_count * sizeof(uint64_t)));
    return rw_device_clear(job->context, job->backend, search->sight, search->receiver_count);
}

/* Most labels at a time. */
static const uint32_t labels_together = 1 << 17;
static const size_t latest_hits = (size_t)1 << RW_CUBE_LATEST_BITS;

typedef struct ray_lists {
    rw_cube_ray_list rays[2];
    rw_cube_hit_list hits;
    rw_cube_launched *launched;
    uint32_t *counts; /* of the rays and of the hits */
} ray_lists;

static rw_status allocate_ray_lists(rw_cubes_job *job, ray_lists *lists)
{
    size_t rays = job->rays_together, launched = labels_together;
    const size_t bytes[6] = {rays * sizeof(rw_cube_ray_item), rays * sizeof(rw_cube_ray_item),
                             rays * sizeof(rw_cube_hit),      launched * sizeof *lists->launched,
                             latest_hits * sizeof(uint64_t),  2 * sizeof(uint32_t)};
    void *unused;
    for (int i = 0; i < 6; i++)
        if (!job->owned[RW_CUBES_RAYS + i])
            RW_TRY(rw_cubes_allocate(job, RW_CUBES_RAYS + i, bytes[i], "rays", &unused));
    lists->counts = job->owned[RW_CUBES_RAY_COUNTS];
    lists->launched = job->owned[RW_CUBES_LAUNCHED];
    for (int i = 0; i < 2; i++)
        lists->rays[i] = (rw_cube_ray_list){job->owned[RW_CUBES_RAYS + i], lists->counts, job->rays_together};
    lists->hits = (rw_cube_hit_list){job->owned[RW_CUBES_HITS], lists->counts + 1, job->rays_together,
                                     job->owned[RW_CUBES_LATEST]};
    return RW_OK;
}

/* How many rays and hits the lists got, with their counts at 0 again. */
static rw_status read_ray_counts(rw_cubes_job *job, const ray_lists *lists, uint32_t counts[2], int *full)
{
    RW_TRY(rw_device_download(job->context, job->backend, counts, lists->counts, 2 * sizeof *counts));
    *full = counts[0] > lists->rays[0].capacity || counts[1] > lists->hits.capacity;
    return rw_device_clear(job->context, job->backend, lists->counts, 2 * sizeof *counts);
}

/* Labels being launched. */
typedef struct label_batch {
    rw_cubes_job *job;
    size_t count; /* of all labels */
    ray_lists lists;
} label_batch;

/* A batch of labels, stage after stage; full: a list was. */
static rw_status launch_stages(const label_batch *batch, size_t first, size_t count, int *full)
{
    rw_cubes_job *job = batch->job;
    const ray_lists *lists = &batch->lists;
    uint32_t counts[2];
    struct rw_cube_roots_args roots = {job->search, (uint32_t)first, lists->launched, lists->rays[0]};
    RW_TRY(rw_device_clear(job->context, job->backend, lists->hits.latest, latest_hits * sizeof(uint64_t)));
    RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_cube_roots, &roots, count));
    RW_TRY(read_ray_counts(job, lists, counts, full));
    for (int current = 0; counts[0] > 0 && !*full; current = 1 - current) {
        struct rw_cube_rays_args rays = {job->search, lists->launched, lists->rays[current].rays,
                                         lists->rays[1 - current], lists->hits};
        RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_cube_rays, &rays, counts[0]));
        RW_TRY(read_ray_counts(job, lists, counts, full));
        struct rw_cube_hits_args hits = {job->search, lists->launched, lists->hits.hits};
        if (!*full)
            RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_cube_hits, &hits, counts[1]));
    }
    return RW_OK;
}

/* An rw_batch_fn. A label whose rays fill a list alone is launched by itself. */
static rw_status launch_batch(void *user, size_t first, size_t count, rw_batch_fill_fn *fill)
{
    const label_batch *batch = user;
    const rw_cubes_job *job = batch->job;
    int full = 0;
    RW_TRY(rw_progress_within(job->context, (double)first / (double)batch->count, "predicting"));
    RW_TRY(launch_stages(batch, first, count, &full));
    *fill = full ? RW_BATCH_FULL : 2 * count <= labels_together ? RW_BATCH_SPARSE : RW_BATCH_FITS;
    if (!full || count > 1)
        return RW_OK;
    *fill = RW_BATCH_SPARSE;
    struct rw_cube_launch_args alone = {job->search};
    alone.search.list += first;
    return rw_device_launch(job->context, job->backend, RW_KERNEL_cube_launch, &alone, 1);
}

static rw_status launch_rays(rw_cubes_job *job, uint32_t label_count)
{
    label_batch batch = {.job = job, .count = label_count};
    size_t size = labels_together;
    RW_TRY(allocate_ray_lists(job, &batch.lists));
    RW_TRY(rw_device_clear(job->context, job->backend, batch.lists.counts, 2 * sizeof *batch.lists.counts));
    return rw_batches_run(0, label_count, &size, launch_batch, &batch);
}

rw_status rw_cubes_job_run(rw_cubes_job *job, rw_vec3 source, double freq_hz, const rw_cubes_costs *costs)
{
    rw_cube_search *search = &job->search;
    RW_TRY(prepare_cube_search(job, source, freq_hz, costs));
    if (job->owned[RW_CUBES_SEEN])
        RW_TRY(rw_cube_visibility(job->context, job->backend, &search->cubes, search->source_sight, job->sight_line,
                                  job->owned[RW_CUBES_SEEN]));
    struct rw_cube_direct_args direct = {*search};
    RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_cube_direct, &direct,
                            search->receiver_count + search->cubes.item_count));
    const double steps = job->levels + 1.0; /* what is seen, then the levels */
    RW_TRY(rw_progress_within(job->context, 1 / steps, "predicting"));
    for (int level = 0; level < job->levels; level++) {
        uint32_t count = 0;
        RW_TRY(commit_level_labels(job, level, &count));
        struct rw_cube_launch_args launch = {*search};
        rw_progress_range before = rw_progress_narrow((level + 1.0) / steps, (level + 2.0) / steps);
        RW_TRY(job->by_rays
                   ? launch_rays(job, count)
                   : rw_device_launch(job->context, job->backend, RW_KERNEL_cube_launch, &launch, (size_t)count));
        RW_TRY(rw_progress_within(job->context, 1, "predicting"));
        rw_progress_range_set(before);
        job->launched += count;
    }
    return rw_device_wait(job->context, job->backend);
}

static void read_path(const rw_cubes_job *job, uint64_t key, rw_cubes_answer *answer)
{
    static const uint8_t mechanisms[RW_CUBE_KINDS] = {RW_CUBES_REFLECTIONS, RW_CUBES_ROOFS, RW_CUBES_CORNERS};
    uint32_t label = rw_cube_key_label(key);
    int counts[RW_CUBE_KINDS], kinds = 0;
    answer->path_loss_db = rw_cube_key_loss_db(key) - job->peak_gain_db;
    answer->label = label;
    if (label == RW_CUBE_DIRECT)
        return;
    rw_cube_counts(job->search.limits, rw_cube_label_state(&job->search, label), counts);
    counts[job->cubes.elements[job->cubes.items[rw_cube_label_piece(&job->search, label)].element].kind]++;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++) {
        kinds += counts[kind] > 0;
        answer->deflections = (uint8_t)(answer->deflections + counts[kind]);
        if (counts[kind])
            answer->mechanism = kinds > 1 ? RW_CUBES_SEVERAL : mechanisms[kind];
    }
}

typedef struct reading {
    const rw_cubes_job *job;
    const uint64_t *best;
    const uint8_t *sight;
    rw_cubes_answer *answers;
} reading;

static void read_answers(void *user, size_t begin, size_t end)
{
    const reading *from = user;
    for (size_t i = begin; i < end; i++) {
        from->answers[i] = (rw_cubes_answer){.path_loss_db = INFINITY, .sight = from->sight[i]};
        if (from->best[i])
            read_path(from->job, from->best[i], &from->answers[i]);
    }
}

rw_status rw_cubes_job_read(const rw_cubes_job *job, rw_cubes_answer *answers)
{
    size_t count = job->search.receiver_count;
    uint64_t *best;
    uint8_t *sight = NULL;
    RW_TRY(rw_array_create(job->context, count, sizeof *best, "answers", &best));
    rw_status status = rw_array_create(job->context, count, 1, "answers", &sight);
    if (status == RW_OK)
        status = rw_device_download(job->context, job->backend, best, job->search.best, count * sizeof *best);
    if (status == RW_OK)
        status = rw_device_download(job->context, job->backend, sight, job->search.sight, count);
    reading from = {job, best, sight, answers};
    if (status == RW_OK)
        status = rw_parallel(job->context, count, 1024, read_answers, &from);
    free(best);
    free(sight);
    return status;
}

int rw_cubes_job_filled(const rw_cubes_job *job, size_t receiver)
{
    float at[3];
    rw_cubes_locate(&job->cubes.frame, job->points[receiver], at);
    int i = (int)floorf(at[0]), j = (int)floorf(at[1]), k = (int)floorf(at[2]);
    const rw_cubes_view *view = &job->cubes.view;
    return rw_cube_in_grid(view, i, j, k) && rw_cube_bit(job->cubes.filled, rw_cube_word(view, i, j, k), i);
}
