#include "models/beams/beams.h"

#include "base/memory.h"
#include "field/surfaces/surface.h"
#include "models/beams/boundaries.k.h"
#include "models/beams/verify_path.k.h"
#include "models/engine/prediction/prediction.h"

#include <math.h>
#include <stdlib.h>

/* One interaction of a path, from the transmitter on. */
typedef struct chain_step {
    uint8_t kind;         /* rw_beam_kind */
    uint8_t clamped;      /* of a corner: it takes nothing */
    rw_exact_wall wall;   /* that reflects or transmits */
    rw_vec2 corner, face; /* of a corner, and along its dark face */
    double exterior_rad;
    uint32_t of; /* construction in the record */
    uint32_t wall_index;
} chain_step;

typedef struct chain {
    const rw_beam_recorder *recorder;
    rw_vec3 receiver;
    int count;
    chain_step steps[RW_GAIN_NODES_MAX];
} chain;

/* The construction of a surface, as losses.c has it. */
static rw_status find_wall(const rw_scene *scene, size_t index, double freq_hz, rw_construction *wall)
{
    rw_surface surface;
    RW_TRY(rw_surface_find(scene, index, freq_hz, &surface));
    *wall = (rw_construction){.layer_count = (int)surface.layer_count,
                              .opaque = surface.half_space,
                              .smooth = 1,
                              .through_factor = 1,
                              .reflection_factor = 1};
    for (size_t i = 0; i < surface.layer_count; i++) {
        wall->layers[i] = surface.layers[i];
        wall->thickness_m += surface.layers[i].thickness_m;
    }
    return RW_OK;
}

rw_status rw_beam_recorder_open(const rw_prediction *prediction, size_t transmitter, rw_vec3 source,
                                const rw_beam_losses *losses, const rw_edge_grid_view *edges, rw_gain_record *record,
                                rw_beam_recorder *recorder)
{
    const rw_scene *scene = prediction->scene;
    *recorder = (rw_beam_recorder){prediction, transmitter, source, losses, *edges, scene->prepared->grid.view, NULL};
    recorder->grid.curve_per_m = rw_prediction_curve_per_m(prediction);
    if (!losses->theory)
        return rw_fail(scene->context, RW_BAD_CALL, "constant losses have no gradients; leave losses at theory");
    RW_TRY(rw_array_create(scene->context, scene->surfaces.count + 1, sizeof *recorder->walls, "constructions",
                           &recorder->walls));
    rw_status status = rw_gain_record_antenna(record, transmitter, prediction->antennas[transmitter]);
    for (size_t i = 0; i < scene->surfaces.count && status == RW_OK; i++) {
        rw_construction wall;
        status = find_wall(scene, i, record->freq_hz, &wall);
        if (status == RW_OK)
            status = rw_gain_record_wall(record, scene->surfaces.items[i], &wall, 1, &recorder->walls[i]);
    }
    if (status != RW_OK)
        rw_beam_recorder_close(recorder);
    return status;
}

void rw_beam_recorder_close(rw_beam_recorder *recorder)
{
    free(recorder->walls);
    recorder->walls = NULL;
}

/* A path in plan under a place of the transmitter. */
typedef struct chain_plan {
    rw_vec2 origins[RW_GAIN_NODES_MAX + 1];   /* virtual sources: before each step, and behind the last */
    rw_vec2 positions[RW_GAIN_NODES_MAX + 1]; /* where each step happens, and the receiver */
    rw_vec2 rays[RW_GAIN_NODES_MAX + 1]; /* unit directions: towards each step, as its image sees it, and the end */
    double total_m;
} chain_plan;

static rw_vec2 ray_between(rw_vec2 from, rw_vec2 to)
{
    return rw_unit(rw_vec2_sub(to, from));
}

static double plan_distance_m(rw_vec2 a, rw_vec2 b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

static void lay_out(const chain *of, rw_vec3 source, chain_plan *plan)
{
    plan->origins[0] = rw_vec2_of(source.x, source.y);
    plan->total_m = 0;
    for (int i = 0; i < of->count; i++) {
        const chain_step *step = &of->steps[i];
        rw_vec2 before = plan->origins[i];
        plan->origins[i + 1] = before;
        if (step->kind == RW_BEAM_REFLECTED)
            plan->origins[i + 1] = rw_mirror_point(before, &step->wall, rw_wall_normal(&step->wall));
        if (step->kind == RW_BEAM_DIFFRACTED) {
            plan->origins[i + 1] = step->corner;
            plan->total_m += plan_distance_m(before, step->corner);
        }
    }
    plan->positions[of->count] = rw_vec2_of(of->receiver.x, of->receiver.y);
    plan->total_m += plan_distance_m(plan->origins[of->count], plan->positions[of->count]);
    for (int i = of->count; i >= 0; i--) {
        plan->rays[i] = ray_between(plan->origins[i], plan->positions[i]);
        if (i == 0)
            break;
        const chain_step *step = &of->steps[i - 1];
        plan->positions[i - 1] = step->kind == RW_BEAM_DIFFRACTED
                                     ? step->corner
                                     : rw_wall_crossing(&step->wall, plan->origins[i], plan->positions[i]);
    }
}

/* The terms of a corner, and the factor on the amplitude beside them: as rw_corner_gain. */
static double freeze_corner(const chain *of, const chain_plan *plan, int at, double before_m, rw_gain_frozen *frozen)
{
    const chain_step *step = &of->steps[at];
    const rw_beam_losses *losses = of->recorder->losses;
    int next = at + 1;
    while (next < of->count && of->steps[next].kind != RW_BEAM_DIFFRACTED)
        next++;
    double after_m = fmax(plan_distance_m(plan->origins[next], plan->positions[next]), 1e-3);
    double leg_m = fmax(plan_distance_m(plan->origins[at], step->corner), 1e-3);
    double shadow = fabs(rw_angle_between(plan->rays[at], step->face));
    double source_rad = fmin(shadow + RW_PI, step->exterior_rad);
    double observer_rad = fmin(fabs(rw_angle_between(step->face, plan->rays[at + 1])), shadow);
    double n = step->exterior_rad / RW_PI, inverse_2n = 0.5 / n;
    double root_2kl = sqrt(2 * losses->wavenumber * leg_m * after_m / (leg_m + after_m));
    double first = fmin(source_rad, observer_rad), second = fmax(source_rad, observer_rad);
    rw_complex terms[4] = {rw_wedge_term_fast(first - second, n, inverse_2n, root_2kl),
                           rw_wedge_term_fast(second - first, n, inverse_2n, root_2kl),
                           rw_wedge_term_fast(-second - first, n, inverse_2n, root_2kl),
                           rw_wedge_term_fast(second + first, n, inverse_2n, root_2kl)};
    double *numbers = frozen->numbers + frozen->number_count;
    for (int i = 0; i < RW_GAIN_WEDGE_NUMBERS; i++)
        numbers[i] = 0;
    rw_gain_freeze_scalar(numbers);
    numbers[RW_GAIN_ZERO_COSINE] = fabs(sin(first));
    numbers[RW_GAIN_FAR_COSINE] = fabs(sin(RW_PI * n - second));
    numbers[RW_GAIN_ZERO_TE] = numbers[RW_GAIN_FAR_TE] = 1;
    for (int i = 0; i < 4; i++) {
        numbers[RW_GAIN_LIT + 2 * i] = terms[i].re;
        numbers[RW_GAIN_LIT + 2 * i + 1] = terms[i].im;
    }
    frozen->nodes[frozen->node_count++] = (rw_gain_node){.kind = RW_GAIN_WEDGE,
                                                         .wall = step->of,
                                                         .flags = losses->holm ? RW_GAIN_HOLM : 0,
                                                         .first = frozen->number_count};
    frozen->number_count += RW_GAIN_WEDGE_NUMBERS;
    double spread = (before_m + after_m) / (fmax(before_m, 1e-3) * after_m);
    return inverse_2n * sqrt(spread / (2 * RW_PI * losses->wavenumber));
}

static void freeze_flat_wall(const chain_step *step, double cosine, rw_gain_frozen *frozen)
{
    double *numbers = frozen->numbers + frozen->number_count;
    rw_gain_freeze_scalar(numbers);
    numbers[RW_GAIN_COSINE] = cosine;
    frozen->nodes[frozen->node_count++] =
        (rw_gain_node){.kind = step->kind == RW_BEAM_REFLECTED ? RW_GAIN_FRONT : RW_GAIN_THROUGH,
                       .wall = step->of,
                       .first = frozen->number_count};
    frozen->number_count += RW_GAIN_WALL_NUMBERS;
}

/* A direction in plan with the slope of the unfolded path. */
static rw_vec3 raise_direction(rw_vec2 ray, double plan_m, double rise_m)
{
    double over = 1 / hypot(plan_m, rise_m);
    return rw_vec3_of(ray.x * plan_m * over, ray.y * plan_m * over, rise_m * over);
}

/* What the edges beside the path take, with the beams that the plan stands for. */
static double boundaries_loss_db(const chain *of, const chain_plan *plan, rw_vec3 source)
{
    const rw_beam_recorder *recorder = of->recorder;
    rw_beam beams[RW_GAIN_NODES_MAX + 1] = {{.kind = RW_BEAM_SOURCE, .origin = plan->origins[0]}};
    double before_m = 0;
    if (!recorder->edges.rows)
        return 0;
    for (int i = 0; i < of->count; i++) {
        const chain_step *step = &of->steps[i];
        double leg_m = step->kind == RW_BEAM_DIFFRACTED ? plan_distance_m(plan->origins[i], step->corner) : 0;
        before_m += leg_m;
        beams[i + 1] = (rw_beam){.kind = step->kind,
                                 .origin = plan->origins[i + 1],
                                 .before_m = before_m,
                                 .leg_m = (float)leg_m,
                                 .wall = step->wall_index,
                                 .parent = (uint32_t)i};
    }
    const rw_beam_walls walls = {.exact = recorder->grid.exact};
    return rw_boundaries_db(&recorder->edges, recorder->losses, beams, beams + of->count, &walls, &recorder->grid,
                            source, of->receiver);
}

/* An rw_gain_freeze_fn. */
static int freeze_gain(void *user, rw_vec3 moved, rw_gain_frozen *frozen)
{
    const chain *of = user;
    rw_vec3 source = rw_vec3_add(of->recorder->source, moved);
    chain_plan plan = {.total_m = 0};
    lay_out(of, source, &plan);
    double rise_m = of->receiver.z - source.z, length_m = hypot(plan.total_m, rise_m), before_m = 0;
    rw_vec3 arrives = raise_direction(plan.rays[of->count], plan.total_m, rise_m);
    double received_dbi = rw_receiver_gain_dbi(of->recorder->prediction, rw_vec3_scale(arrives, -1));
    double edges_db = boundaries_loss_db(of, &plan, source);
    double amplitude = pow(10, 0.05 * (received_dbi - edges_db - rw_length_loss_db(of->recorder->losses, length_m)));
    rw_gain_freeze_head(frozen, raise_direction(plan.rays[0], plan.total_m, rise_m), arrives, NULL, amplitude, 0);
    for (int i = 0; i < of->count; i++) {
        const chain_step *step = &of->steps[i];
        if (step->kind == RW_BEAM_DIFFRACTED) {
            before_m += plan_distance_m(plan.origins[i], step->corner);
            if (!step->clamped)
                frozen->numbers[RW_GAIN_AMPLITUDE] *= freeze_corner(of, &plan, i, before_m, frozen);
            continue;
        }
        freeze_flat_wall(step, fabs(rw_vec2_dot(plan.rays[i], rw_wall_normal(&step->wall))), frozen);
    }
    return isfinite(frozen->numbers[RW_GAIN_AMPLITUDE]) && frozen->numbers[RW_GAIN_AMPLITUDE] > 0;
}

/* Whether a corner takes nothing: its gain is at most 1. */
static int is_clamped(const chain *of, int at, const rw_beam *beam)
{
    chain_plan plan = {.total_m = 0};
    lay_out(of, of->recorder->source, &plan);
    int next = at + 1;
    while (next < of->count && of->steps[next].kind != RW_BEAM_DIFFRACTED)
        next++;
    double after_m = plan_distance_m(plan.origins[next], plan.positions[next]);
    return rw_corner_gain(of->recorder->losses, beam, rw_observer_angle(beam, plan.rays[at + 1]), after_m) >= 1;
}

rw_status rw_beam_record_path(const rw_beam_recorder *recorder, const rw_beam *beams, uint32_t last, rw_vec3 receiver,
                              uint32_t point, rw_gain_record *record)
{
    const rw_prepared *prepared = recorder->prediction->scene->prepared;
    const rw_exact_wall *exact = prepared->grid.view.exact;
    chain of = {.recorder = recorder, .receiver = receiver};
    const rw_beam *back[RW_GAIN_NODES_MAX];
    for (const rw_beam *beam = beams + last; beam->kind != RW_BEAM_SOURCE; beam = beams + beam->parent) {
        if (of.count == RW_GAIN_NODES_MAX) {
            record->skipped++;
            return RW_OK;
        }
        back[of.count++] = beam;
    }
    for (int i = 0; i < of.count; i++) {
        const rw_beam *beam = back[of.count - 1 - i];
        int corner = beam->kind == RW_BEAM_DIFFRACTED;
        uint32_t surface = corner ? beam->corner_surface : prepared->walls.surfaces[beam->wall];
        of.steps[i] = (chain_step){.kind = beam->kind,
                                   .wall = exact[beam->wall],
                                   .corner = beam->origin,
                                   .face = beam->face,
                                   .exterior_rad = (double)beam->exterior_rad,
                                   .of = recorder->walls[surface],
                                   .wall_index = beam->wall};
    }
    for (int i = 0; i < of.count; i++)
        if (of.steps[i].kind == RW_BEAM_DIFFRACTED)
            of.steps[i].clamped = (uint8_t)(is_clamped(&of, i, back[of.count - 1 - i]) & 1);
    return rw_gain_record_path(record, recorder->transmitter, point, freeze_gain, &of);
}
