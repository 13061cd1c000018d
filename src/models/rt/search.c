/* All sequences, as a tree: each is tried for every place, then made one longer. Whole branches are left out only where
 * spheres round surfaces and edges show that no ray of the sequence can go on there. */
#include "models/rt/rt.h"

#include "base/parallel.h"
#include "base/progress.h"

#include <math.h>

typedef struct ball {
    rw_vec3 middle;
    double radius_m;
} ball;

typedef struct search {
    const rw_rt_geometry *geometry;
    int depth;
    const rw_vec3 *positions;
    size_t count;
    rw_rt_path_fn on_path;
    void *user;
} search;

static ball ball_of_surface(const rw_surface *surface)
{
    ball round = {rw_vec3_of((double)surface->middle[0], (double)surface->middle[1], (double)surface->middle[2]),
                  1.001 * (double)surface->radius_m + 1e-3};
    return round;
}

static ball ball_of_line(const rw_edge_line *line)
{
    ball round = {rw_edge_line_at(line, 0.5), 0.5 * rw_vec3_length(line->span)};
    return round;
}

static ball ball_of_step(const rw_rt_geometry *geometry, rw_rt_step step)
{
    if (!step.bends)
        return ball_of_surface(&geometry->at->surfaces.surfaces[step.index]);
    const rw_building_edge *edge = &geometry->edges[step.index];
    rw_edge_line line = {edge->from, rw_vec3_sub(edge->to, edge->from)};
    return ball_of_line(&line);
}

/* Half the angle under which a ball, widened, is seen. */
static double half_angle(rw_vec3 from, ball target, double wider_m)
{
    double distance_m = rw_vec3_length(rw_vec3_sub(target.middle, from)), radius_m = target.radius_m + wider_m;
    return distance_m > radius_m ? asin(radius_m / distance_m) : RW_PI;
}

/* Whether rays from the last image, through the mirror before, may reach the next step. */
static int may_reach(const rw_rt_geometry *geometry, const rw_rt_sequence *sequence, rw_rt_step next)
{
    if (sequence->count == 0 || sequence->steps[sequence->count - 1].bends)
        return 1;
    const rw_surface *mirror = &geometry->at->surfaces.surfaces[sequence->steps[sequence->count - 1].index];
    ball origin = {sequence->source, 0}, target = ball_of_step(geometry, next), window = ball_of_surface(mirror);
    if (sequence->diffractions > 0)
        origin = ball_of_line(&sequence->edges[sequence->diffractions - 1]);
    double behind = rw_surface_height_m(mirror, origin.middle), before = rw_surface_height_m(mirror, target.middle);
    if (fabs(behind) > origin.radius_m && fabs(before) > target.radius_m && (behind > 0) == (before > 0))
        return 0;
    rw_vec3 to_window = rw_vec3_sub(window.middle, origin.middle);
    rw_vec3 to_target = rw_vec3_sub(target.middle, origin.middle);
    double lengths = rw_vec3_length(to_window) * rw_vec3_length(to_target);
    double wide =
        half_angle(origin.middle, window, origin.radius_m) + half_angle(origin.middle, target, origin.radius_m);
    if (wide >= RW_PI || !(lengths > 0))
        return 1;
    return rw_vec3_dot(to_window, to_target) / lengths >= cos(wide) - 1e-9;
}

/* The sequence with one more step; 0 where nothing can come of it. */
static int extend_sequence(const rw_rt_geometry *geometry, const rw_rt_sequence *sequence, rw_rt_step step,
                           rw_rt_sequence *longer)
{
    if (sequence->count > 0) {
        rw_rt_step last = sequence->steps[sequence->count - 1];
        if (last.bends == step.bends && last.index == step.index)
            return 0;
    }
    if (!may_reach(geometry, sequence, step))
        return 0;
    *longer = *sequence;
    longer->steps[longer->count++] = step;
    if (step.bends) {
        const rw_building_edge *edge = &geometry->edges[step.index];
        longer->edges[longer->diffractions++] = (rw_edge_line){edge->from, rw_vec3_sub(edge->to, edge->from)};
        return 1;
    }
    const rw_surface *mirror = &geometry->at->surfaces.surfaces[step.index];
    longer->reflections++;
    longer->source = rw_mirrored(mirror, sequence->source);
    for (int i = 0; i < sequence->diffractions; i++) {
        const rw_edge_line *edge = &sequence->edges[i];
        rw_vec3 to = rw_mirrored(mirror, rw_vec3_add(edge->from, edge->span));
        longer->edges[i].from = rw_mirrored(mirror, edge->from);
        longer->edges[i].span = rw_vec3_sub(to, longer->edges[i].from);
    }
    return 1;
}

/* Pairs of a sequence and a position or a next step between two checks. */
#define PAIRS_PER_CHECK 2048

static int search_is_cancelled(const search *at, size_t pairs)
{
    return rw_item_is_cancelled(at->geometry->rays->context, pairs, PAIRS_PER_CHECK, "pairs of sequences");
}

static void try_positions(const search *at, const rw_rt_sequence *sequence)
{
    rw_rt_path path;
    for (size_t first = 0; first < at->count; first += PAIRS_PER_CHECK) {
        size_t end = at->count - first < PAIRS_PER_CHECK ? at->count : first + PAIRS_PER_CHECK;
        for (size_t i = first; i < end; i++)
            if (rw_rt_path_solve(at->geometry, sequence, at->positions[i], &path))
                at->on_path(at->user, &path, i);
        if (search_is_cancelled(at, end - first))
            return;
    }
}

static void visit_sequence(const search *at, const rw_rt_sequence *sequence);

static void visit_longer(const search *at, const rw_rt_sequence *sequence, rw_rt_step step)
{
    rw_rt_sequence longer;
    if (extend_sequence(at->geometry, sequence, step, &longer))
        visit_sequence(at, &longer);
}

static uint32_t surface_steps(const search *at, const rw_rt_sequence *sequence)
{
    int more = sequence->count < at->depth && sequence->reflections < at->geometry->limits.reflections;
    return more ? at->geometry->at->surfaces.surface_count : 0;
}

static uint32_t edge_steps(const search *at, const rw_rt_sequence *sequence)
{
    int more = sequence->count < at->depth && sequence->diffractions < at->geometry->limits.diffractions;
    return more ? (uint32_t)at->geometry->edge_count : 0;
}

static void visit_sequence(const search *at, const rw_rt_sequence *sequence)
{
    try_positions(at, sequence);
    uint32_t surfaces = surface_steps(at, sequence), edges = edge_steps(at, sequence);
    if (search_is_cancelled(at, surfaces + edges))
        return;
    for (uint32_t i = 0; i < surfaces; i++)
        visit_longer(at, sequence, (rw_rt_step){0, i});
    for (uint32_t i = 0; i < edges; i++)
        visit_longer(at, sequence, (rw_rt_step){1, i});
}

/* The searches that start with one step, and before them the one without any. */
typedef struct first_steps {
    search at;
    rw_rt_sequence none;
    uint32_t surfaces;
    size_t count;
} first_steps;

static void search_from(void *user, size_t begin, size_t end)
{
    const first_steps *from = user;
    for (size_t i = begin; i < end; i++) {
        if (i == 0)
            try_positions(&from->at, &from->none);
        else if (i <= from->surfaces)
            visit_longer(&from->at, &from->none, (rw_rt_step){0, (uint32_t)(i - 1)});
        else
            visit_longer(&from->at, &from->none, (rw_rt_step){1, (uint32_t)(i - 1 - from->surfaces)});
    }
}

static first_steps list_first_steps(const search *at)
{
    first_steps from = {.at = *at, .none = {.source = at->geometry->at->source}};
    from.surfaces = surface_steps(at, &from.none);
    from.count = 1 + from.surfaces + edge_steps(at, &from.none);
    return from;
}

/* First steps in parts, so that progress is seen and can be stopped. */
#define SEARCH_CHUNKS 32

typedef struct search_chunk {
    first_steps *from;
    size_t first;
} search_chunk;

static void search_chunk_from(void *user, size_t begin, size_t end)
{
    const search_chunk *chunk = user;
    search_from(chunk->from, chunk->first + begin, chunk->first + end);
}

rw_status rw_rt_search(const rw_rt_geometry *geometry, int depth, const rw_vec3 *positions, size_t count,
                       rw_rt_path_fn on_path, void *user)
{
    rw_context *context = geometry->rays->context;
    first_steps from = list_first_steps(&(search){geometry, depth, positions, count, on_path, user});
    size_t each = from.count / SEARCH_CHUNKS + 1;
    for (search_chunk chunk = {&from, 0}; chunk.first < from.count; chunk.first += each) {
        size_t now = from.count - chunk.first < each ? from.count - chunk.first : each;
        RW_TRY(rw_parallel(context, now, 1, search_chunk_from, &chunk));
        RW_TRY(rw_progress_within(context, (double)(chunk.first + now) / (double)from.count, "predicting"));
    }
    return RW_OK;
}

void rw_rt_search_alone(const rw_rt_geometry *geometry, int depth, const rw_vec3 *positions, size_t count,
                        rw_rt_path_fn on_path, void *user)
{
    first_steps from = list_first_steps(&(search){geometry, depth, positions, count, on_path, user});
    search_from(&from, 0, from.count);
}
