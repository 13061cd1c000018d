/* What rays are to meet in each cube: receivers and pieces, sorted by cube and placed on the backend. */
#include "base/memory.h"
#include "models/cubes/cubes.h"

#include <math.h>
#include <stdlib.h>

static rw_status upload_job_array(rw_cubes_job *job, int slot, const void *host, size_t bytes, void *pointer_out)
{
    RW_TRY(rw_cubes_allocate(job, slot, bytes, "receivers", pointer_out));
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
    return lists->before[cube / 32] + rw_bit_count(lists->bits[cube / 32] & below);
}

/* Sorts the pairs by cube. */
static rw_status sort_lists(rw_cubes_job *job, host_lists *lists)
{
    uint32_t cubes = 0;
    for (size_t word = 0; word < job->cubes.cube_words; word++) {
        lists->before[word] = cubes;
        cubes += rw_bit_count(lists->bits[word]);
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
static rw_status upload_cube_lists(rw_cubes_job *job, host_lists *lists, int slot, rw_cube_lists *view)
{
    size_t words = job->cubes.cube_words;
    RW_TRY(sort_lists(job, lists));
    uint32_t cubes = words ? lists->before[words - 1] + rw_bit_count(lists->bits[words - 1]) : 0;
    RW_TRY(upload_job_array(job, slot, lists->bits, words * sizeof(uint32_t), &view->bits));
    RW_TRY(upload_job_array(job, slot + 1, lists->before, words * sizeof(uint32_t), &view->before));
    RW_TRY(upload_job_array(job, slot + 2, lists->first, ((size_t)cubes + 1) * sizeof(uint32_t), &view->first));
    return upload_job_array(job, slot + 3, lists->members, lists->pair_count * sizeof(uint32_t), &view->members);
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
            float shift = in_cube < border ? -border : in_cube > 1 - border ? border : 0;
            needed &= !(corner >> axis & 1) || shift != 0;
            moved[axis] = at[axis] + (corner >> axis & 1 ? shift : 0);
        }
        if (needed)
            RW_TRY(list_at(job, lists, moved, number, 1));
    }
    return RW_OK;
}

/* On terrain, where the cubes of the ground come up to half a cube out of it, what stands low is lifted for lines of
 * sight so that the next cube of a slope does not hide it. Flat ground lies between cubes. */
void rw_cubes_lift(const rw_cubes_job *job, rw_vec3 point, const float at[3], float sight[3])
{
    const rw_cube_frame *frame = &job->cubes.frame;
    for (int axis = 0; axis < 3; axis++)
        sight[axis] = at[axis];
    if (!job->scene->terrain.values)
        return;
    double ground = (rw_scene_ground_m(job->scene, rw_vec2_of(point.x, point.y)) - frame->z0_m) / frame->res_m;
    sight[2] = fmaxf(at[2], (float)ground + RW_CUBE_FACE_OFFSET);
}

static rw_status list_receivers(rw_cubes_job *job, const rw_cubes_points *receivers, float *points, float *sights,
                                host_lists *lists)
{
    for (size_t n = 0; n < receivers->count; n++) {
        float *at = points + 3 * n;
        rw_cubes_locate(&job->cubes.frame, receivers->points[n], at);
        rw_cubes_lift(job, receivers->points[n], at, sights + 3 * n);
        RW_TRY(list_receiver(job, lists, at, n));
        RW_TRY(list_at(job, lists, sights + 3 * n, n, 1));
        int top = (int)floorf(sights[3 * n + 2] + 0.5f) + 1;
        job->search.receiver_top = top > job->search.receiver_top ? top : job->search.receiver_top;
    }
    return RW_OK;
}

static uint32_t piece_kind_of(const rw_cubes_job *job, size_t piece)
{
    return job->cubes.elements[job->cubes.items[piece].element].kind;
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
            rw_item_face_point(element, piece, (float)side, at);
            RW_TRY(list_at(job, lists, at, n, 1));
        }
    }
    return RW_OK;
}

/* The pieces themselves in the order of their lists. */
static rw_status upload_targets(rw_cubes_job *job, const host_lists *lists)
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
    rw_status status =
        upload_job_array(job, RW_CUBES_TARGETS, targets, lists->pair_count * sizeof *targets, &job->search.targets);
    free(targets);
    return status;
}

static rw_status upload_clearance(rw_cubes_job *job, const uint32_t *occupied)
{
    size_t count = (size_t)job->cubes.view.columns * (size_t)job->cubes.view.rows;
    uint32_t *clearance;
    RW_TRY(rw_array_create(job->context, count, sizeof *clearance, "tops of cubes", &clearance));
    rw_status status = rw_cubes_find_clearance(job, occupied, clearance);
    if (status == RW_OK)
        status =
            upload_job_array(job, RW_CUBES_CLEARANCE, clearance, count * sizeof *clearance, &job->search.clearance);
    free(clearance);
    return status;
}

/* For each set of kinds the cubes that are filled or hold a receiver or a piece of one of them. */
static rw_status upload_occupied(rw_cubes_job *job, const host_lists *to_receivers, const host_lists *to_pieces)
{
    size_t words = job->cubes.cube_words, sets = (size_t)1 << RW_CUBE_KINDS;
    uint32_t *occupied;
    RW_TRY(rw_array_create(job->context, sets * words, sizeof *occupied, "occupied cubes", &occupied));
    for (size_t i = 0; i < to_pieces->pair_count; i++) {
        uint32_t cube = to_pieces->pairs[2 * i], kind = piece_kind_of(job, to_pieces->pairs[2 * i + 1]);
        occupied[((size_t)1 << kind) * words + cube / 32] |= 1u << cube % 32;
    }
    for (size_t set = 0; set < sets; set++)
        for (size_t word = 0; word < words; word++) {
            uint32_t bits = job->cubes.filled[word] | to_receivers->bits[word];
            for (size_t kind = 0; kind < RW_CUBE_KINDS; kind++)
                bits |= set >> kind & 1 ? occupied[((size_t)1 << kind) * words + word] : 0u;
            occupied[set * words + word] = bits;
        }
    rw_status status =
        upload_job_array(job, RW_CUBES_OCCUPIED, occupied, sets * words * sizeof *occupied, &job->search.occupied);
    if (status == RW_OK)
        status = upload_clearance(job, occupied + (sets - 1) * words);
    free(occupied);
    return status;
}

static rw_status create_lists(rw_cubes_job *job, host_lists *lists)
{
    size_t words = job->cubes.cube_words;
    *lists = (host_lists){0};
    RW_TRY(rw_array_create(job->context, words, sizeof(uint32_t), "lists of cubes", &lists->bits));
    return rw_array_create(job->context, words, sizeof(uint32_t), "lists of cubes", &lists->before);
}

static rw_status upload_all_lists(rw_cubes_job *job, const rw_cubes_points *receivers, float *points, float *sights,
                                  host_lists *to_receivers, host_lists *to_pieces)
{
    rw_cube_search *search = &job->search;
    RW_TRY(create_lists(job, to_receivers));
    RW_TRY(create_lists(job, to_pieces));
    RW_TRY(list_receivers(job, receivers, points, sights, to_receivers));
    RW_TRY(list_pieces(job, to_pieces));
    RW_TRY(upload_cube_lists(job, to_receivers, RW_CUBES_RECEIVER_LISTS, &search->receivers));
    RW_TRY(upload_cube_lists(job, to_pieces, RW_CUBES_PIECE_LISTS, &search->pieces));
    RW_TRY(upload_targets(job, to_pieces));
    RW_TRY(upload_job_array(job, RW_CUBES_POINTS, points, 3 * receivers->count * sizeof(float), &search->points));
    RW_TRY(upload_job_array(job, RW_CUBES_SIGHTS, sights, 3 * receivers->count * sizeof(float), &search->sights));
    return upload_occupied(job, to_receivers, to_pieces);
}

rw_status rw_cubes_upload_lists(rw_cubes_job *job, const rw_cubes_points *receivers)
{
    host_lists to_receivers = {0}, to_pieces = {0};
    float *points; /* and the places for lines of sight after them */
    job->search.receiver_count = receivers->count;
    RW_TRY(rw_array_create(job->context, 6 * receivers->count, sizeof *points, "receivers", &points));
    rw_status status =
        upload_all_lists(job, receivers, points, points + 3 * receivers->count, &to_receivers, &to_pieces);
    free_lists(&to_receivers);
    free_lists(&to_pieces);
    free(points);
    return status;
}
