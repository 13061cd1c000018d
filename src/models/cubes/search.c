/* The search of the cubes model on a backend: memory, receivers in cubes, level after level. */
#include "models/cubes/cubes.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "models/cubes/launch.k.h"

#include <math.h>
#include <stdlib.h>

static rw_status take(rw_cubes_job *job, int slot, size_t bytes, const char *what, void *pointer_out)
{
    RW_TRY(rw_device_alloc(job->context, job->backend, bytes, what, &job->owned[slot]));
    job->bytes += (double)bytes;
    *(void **)pointer_out = job->owned[slot];
    return RW_OK;
}

static rw_status take_copy(rw_cubes_job *job, int slot, const void *host, size_t bytes, void *pointer_out)
{
    RW_TRY(take(job, slot, bytes, "receivers", pointer_out));
    return bytes ? rw_device_upload(job->context, job->backend, job->owned[slot], host, bytes) : RW_OK;
}

/* Numbers by cube, on the host, on their way to the backend. */
typedef struct host_lists {
    uint32_t *bits, *before, *first, *members;
    uint32_t *pairs; /* cube and number of each entry */
    size_t pair_count, pair_capacity;
} host_lists;

static void free_lists(host_lists *lists)
{
    free(lists->bits);
    free(lists->before);
    free(lists->first);
    free(lists->members);
    free(lists->pairs);
}

/* Lists a number in the cube of a point; only_air: unless that is filled. */
static rw_status list_at(const rw_cubes_job *job, host_lists *lists, const float at[3], size_t number, int only_air)
{
    const rw_cubes_view *view = &job->cubes.view;
    int i = (int)floorf(at[0]), j = (int)floorf(at[1]), k = (int)floorf(at[2]);
    if (!rw_cube_in_grid(view, i, j, k))
        return RW_OK;
    size_t cube = rw_cube_index(view, i, j, k);
    if (only_air && rw_cube_bit(view->filled, cube / 32, i))
        return RW_OK;
    for (size_t last = lists->pair_count; last > 0 && lists->pairs[2 * last - 1] == number; last--)
        if (lists->pairs[2 * last - 2] == cube) /* there already */
            return RW_OK;
    RW_TRY(rw_array_reserve(job->context, &lists->pairs, &lists->pair_capacity, 2 * lists->pair_count + 2,
                            sizeof *lists->pairs, "lists of cubes"));
    lists->pairs[2 * lists->pair_count] = (uint32_t)cube;
    lists->pairs[2 * lists->pair_count + 1] = (uint32_t)number;
    lists->pair_count++;
    lists->bits[cube / 32] |= 1u << (i & 31);
    return RW_OK;
}

static uint32_t rank_of(const host_lists *lists, uint32_t cube)
{
    uint32_t below = (1u << cube % 32) - 1u;
    return lists->before[cube / 32] + rw_count_bits(lists->bits[cube / 32] & below);
}

/* Sorts the pairs by cube. */
static rw_status sort_lists(rw_cubes_job *job, host_lists *lists)
{
    uint32_t cubes = 0;
    for (size_t word = 0; word < job->cubes.cube_words; word++) {
        lists->before[word] = cubes;
        cubes += rw_count_bits(lists->bits[word]);
    }
    RW_TRY(rw_array_create(job->context, (size_t)cubes + 2, sizeof(uint32_t), "lists of cubes", &lists->first));
    RW_TRY(rw_array_create(job->context, lists->pair_count, sizeof(uint32_t), "lists of cubes", &lists->members));
    uint32_t *next = lists->first + 1; /* shifted by one: once filled, it is the first of each cube */
    for (size_t i = 0; i < lists->pair_count; i++)
        next[rank_of(lists, lists->pairs[2 * i]) + 1]++;
    for (uint32_t i = 1; i <= cubes; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < lists->pair_count; i++)
        lists->members[next[rank_of(lists, lists->pairs[2 * i])]++] = lists->pairs[2 * i + 1];
    lists->first[0] = 0;
    return RW_OK;
}

/* Sorts, and copies to four slots of the backend. */
static rw_status place_lists(rw_cubes_job *job, host_lists *lists, int slot, rw_cube_lists *view)
{
    size_t words = job->cubes.cube_words;
    RW_TRY(sort_lists(job, lists));
    uint32_t cubes = words ? lists->before[words - 1] + rw_count_bits(lists->bits[words - 1]) : 0;
    RW_TRY(take_copy(job, slot, lists->bits, words * sizeof(uint32_t), &view->bits));
    RW_TRY(take_copy(job, slot + 1, lists->before, words * sizeof(uint32_t), &view->before));
    RW_TRY(take_copy(job, slot + 2, lists->first, ((size_t)cubes + 1) * sizeof(uint32_t), &view->first));
    return take_copy(job, slot + 3, lists->members, lists->pair_count * sizeof(uint32_t), &view->members);
}

/* In its own cube; where the point is nearer than 0.2 cubes to the border, on its other side too, if that is air. */
static rw_status list_receiver(rw_cubes_job *job, host_lists *lists, const float at[3], size_t number)
{
    const float border = 0.2f;
    RW_TRY(list_at(job, lists, at, number, 0));
    for (int corner = 1; corner < 8; corner++) {
        float moved[3];
        int needed = 1;
        for (int axis = 0; axis < 3; axis++) {
            float in_cube = at[axis] - floorf(at[axis]);
            float way = in_cube < border ? -border : in_cube > 1 - border ? border : 0;
            needed &= !(corner >> axis & 1) || way != 0;
            moved[axis] = at[axis] + (corner >> axis & 1 ? way : 0);
        }
        if (needed)
            RW_TRY(list_at(job, lists, moved, number, 1));
    }
    return RW_OK;
}

/* On terrain, where the cubes of the ground come up to half a cube out of it, what stands low is lifted for lines of
 * sight so that the next cube of a slope does not hide it. Flat ground lies between cubes. */
static void lift(const rw_cubes_job *job, rw_vec3 point, const float at[3], float sight[3])
{
    const rw_cube_frame *frame = &job->cubes.frame;
    for (int axis = 0; axis < 3; axis++)
        sight[axis] = at[axis];
    if (!job->scene->terrain.values)
        return;
    double ground = (rw_scene_ground_m(job->scene, rw_vec2_make(point.x, point.y)) - frame->z0_m) / frame->res_m;
    sight[2] = fmaxf(at[2], (float)ground + RW_CUBE_BESIDE);
}

static rw_status list_receivers(rw_cubes_job *job, const rw_cubes_points *receivers, float *points, float *sights,
                                host_lists *lists)
{
    for (size_t n = 0; n < receivers->count; n++) {
        float *at = points + 3 * n;
        rw_cubes_locate(&job->cubes.frame, receivers->points[n], at);
        lift(job, receivers->points[n], at, sights + 3 * n);
        RW_TRY(list_receiver(job, lists, at, n));
        RW_TRY(list_at(job, lists, sights + 3 * n, n, 1));
        int top = (int)floorf(sights[3 * n + 2] + 0.5f) + 1;
        job->search.receiver_top = top > job->search.receiver_top ? top : job->search.receiver_top;
    }
    return RW_OK;
}

/* In its own cube, and of an edge in the air before its faces. */
static rw_status list_pieces(rw_cubes_job *job, host_lists *lists)
{
    for (size_t n = 0; n < job->cubes.view.item_count; n++) {
        const rw_cube_item *piece = &job->cubes.items[n];
        const rw_cube_element *element = &job->cubes.elements[piece->element];
        float at[3];
        rw_item_middle(piece, at);
        if (job->search.limits[element->kind] == 0)
            continue;
        RW_TRY(list_at(job, lists, at, n, 0));
        for (int side = -1; side <= 1 && element->kind != RW_CUBE_REFLECTION; side += 2) {
            rw_item_beside(element, piece, (float)side, at);
            RW_TRY(list_at(job, lists, at, n, 1));
        }
    }
    return RW_OK;
}

/* The pieces themselves in the order of their lists. */
static rw_status place_targets(rw_cubes_job *job, const host_lists *lists)
{
    rw_cube_target *targets;
    RW_TRY(rw_array_create(job->context, lists->pair_count, sizeof *targets, "pieces in cubes", &targets));
    for (size_t i = 0; i < lists->pair_count; i++) {
        const rw_cube_item *piece = &job->cubes.items[lists->members[i]];
        const rw_cube_element *element = &job->cubes.elements[piece->element];
        rw_item_middle(piece, targets[i].middle);
        for (int axis = 0; axis < 3; axis++)
            targets[i].axis[axis] = element->axis[axis];
        targets[i].number = lists->members[i];
        targets[i].element = element->kind << 30 | piece->element;
    }
    rw_status status = take_copy(job, 17, targets, lists->pair_count * sizeof *targets, &job->search.targets);
    free(targets);
    return status;
}

static rw_status create_lists(rw_cubes_job *job, host_lists *lists)
{
    size_t words = job->cubes.cube_words;
    *lists = (host_lists){0};
    RW_TRY(rw_array_create(job->context, words, sizeof(uint32_t), "lists of cubes", &lists->bits));
    return rw_array_create(job->context, words, sizeof(uint32_t), "lists of cubes", &lists->before);
}

static rw_status place_all(rw_cubes_job *job, const rw_cubes_points *receivers, float *points, float *sights,
                           host_lists *to_receivers, host_lists *to_pieces)
{
    rw_cube_search *search = &job->search;
    RW_TRY(create_lists(job, to_receivers));
    RW_TRY(create_lists(job, to_pieces));
    RW_TRY(list_receivers(job, receivers, points, sights, to_receivers));
    RW_TRY(list_pieces(job, to_pieces));
    RW_TRY(place_lists(job, to_receivers, 0, &search->receivers));
    RW_TRY(place_lists(job, to_pieces, 4, &search->pieces));
    RW_TRY(place_targets(job, to_pieces));
    RW_TRY(take_copy(job, 8, points, 3 * receivers->count * sizeof(float), &search->points));
    RW_TRY(take_copy(job, 16, sights, 3 * receivers->count * sizeof(float), &search->sights));
    for (size_t word = 0; word < job->cubes.cube_words; word++)
        to_receivers->bits[word] |= job->cubes.filled[word] | to_pieces->bits[word];
    return take_copy(job, 9, to_receivers->bits, job->cubes.cube_words * sizeof(uint32_t), &search->occupied);
}

static rw_status place_receivers(rw_cubes_job *job, const rw_cubes_points *receivers)
{
    host_lists to_receivers = {0}, to_pieces = {0};
    float *points; /* and the places for lines of sight after them */
    job->search.receiver_count = receivers->count;
    RW_TRY(rw_array_create(job->context, 6 * receivers->count, sizeof *points, "receivers", &points));
    rw_status status = place_all(job, receivers, points, points + 3 * receivers->count, &to_receivers, &to_pieces);
    free_lists(&to_receivers);
    free_lists(&to_pieces);
    free(points);
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
    size_t pieces = search->cubes.item_count, receivers = search->receiver_count;
    job->label_count = pieces * search->states;
    if ((double)job->label_count * 28 > 4e9 * 28 || job->label_count >= RW_CUBE_DIRECT)
        return rw_fail(job->context, RW_TOO_LARGE,
                       "%zu pieces of surfaces and edges in %u states would need %.3g GB; raise --res, give --area or "
                       "allow fewer deflections",
                       pieces, search->states, (double)pieces * search->states * 28 / 1e9);
    RW_TRY(take(job, 10, job->label_count * sizeof(uint64_t), "labels of the cubes model", &search->keys));
    RW_TRY(take(job, 11, job->label_count * sizeof(rw_cube_label), "labels of the cubes model", &search->labels));
    RW_TRY(take(job, 12, receivers * sizeof(uint64_t), "receivers", &search->best));
    RW_TRY(take(job, 13, receivers, "receivers", &search->sight));
    RW_TRY(
        take(job, 14, pieces * most_states_a_level(search, job->levels) * sizeof(uint32_t), "labels", &search->list));
    return take(job, 15, sizeof(uint32_t), "labels", &search->list_count);
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
    *job = (rw_cubes_job){.context = scene->context, .backend = backend, .scene = scene, .points = receivers->points};
    job->search.states = 1;
    job->parts = backend == RW_BACKEND_CUDA ? 32u : 1u;
    job->search.loss_max_db = RW_CUBES_LOSS_MAX_DB;
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

static rw_status prepare(rw_cubes_job *job, rw_vec3 source, double freq_hz, const rw_cubes_costs *costs)
{
    rw_cube_search *search = &job->search;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++)
        search->deflections[kind] = costs->deflections[kind];
    rw_cubes_locate(&job->cubes.frame, source, search->source);
    lift(job, source, search->source, search->source_sight);
    search->decibels_at_one =
        (float)(costs->offset_db + 20 * log10(4 * RW_PI * job->cubes.frame.res_m * freq_hz / RW_SPEED_OF_LIGHT_M_S));
    RW_TRY(rw_device_clear(job->context, job->backend, search->keys, job->label_count * sizeof(uint64_t)));
    RW_TRY(rw_device_clear(job->context, job->backend, search->best, search->receiver_count * sizeof(uint64_t)));
    return rw_device_clear(job->context, job->backend, search->sight, search->receiver_count);
}

rw_status rw_cubes_job_run(rw_cubes_job *job, rw_vec3 source, double freq_hz, const rw_cubes_costs *costs)
{
    rw_cube_search *search = &job->search;
    RW_TRY(prepare(job, source, freq_hz, costs));
    struct rw_cube_direct_args direct = {*search};
    RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_cube_direct, &direct,
                            search->receiver_count + search->cubes.item_count));
    for (int level = 0; level < job->levels; level++) {
        uint32_t count = 0;
        RW_TRY(settle(job, level, &count));
        struct rw_cube_launch_args launch = {*search, job->parts};
        RW_TRY(
            rw_device_launch(job->context, job->backend, RW_KERNEL_cube_launch, &launch, (size_t)count * launch.parts));
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
    answer->label = label;
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
    size_t count = job->search.receiver_count;
    uint64_t *best;
    uint8_t *sight = NULL;
    RW_TRY(rw_array_create(job->context, count, sizeof *best, "answers", &best));
    rw_status status = rw_array_create(job->context, count, 1, "answers", &sight);
    if (status == RW_OK)
        status = rw_device_download(job->context, job->backend, best, job->search.best, count * sizeof *best);
    if (status == RW_OK)
        status = rw_device_download(job->context, job->backend, sight, job->search.sight, count);
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        rw_cubes_answer *answer = &answers[i];
        *answer = (rw_cubes_answer){.path_loss_db = INFINITY, .sight = sight[i]};
        if (best[i])
            read_path(job, best[i], answer);
    }
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
