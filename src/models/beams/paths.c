/* Paths to points: pieces that hold a point, or kept paths of its cell, become vertices, angles and losses, computed
 * anew along the one ray. */
#include "base/memory.h"
#include "field/edges/deflection.h"
#include "field/paths/free_space.k.h"
#include "models/beams/stored.h"
#include "models/beams/evaluation/collect_paths.k.h"
#include "models/beams/beams.h"
#include "models/engine/prediction/prediction.h"
#include "models/beams/rooftop_paths.k.h"

#include <stdlib.h>
#include <string.h>

#define VERTICES_MAX 96 /* both ends and thrice the most interactions of a kind */

/* Paths of one transmitter on their way. */
struct rw_beam_finding {
    rw_beam_evaluation *evaluation;
    size_t transmitter;
    double wavelength_m;
    const rw_beam_losses *losses; /* with tables on the host */
    rw_beam_find *finds;          /* on the backend */
    uint32_t *find_count, find_capacity;
    rw_paths *paths;
    rw_edge_grid_view edges;   /* on the host */
    rw_beam_recorder recorder; /* where the paths have a record */
};

static rw_vec2 plan_of_point(rw_vec3 point)
{
    return rw_vec2_of(point.x, point.y);
}

/* Ways back along one path, from the receiver to the transmitter. */
typedef struct path_back {
    rw_path_vertex vertices[VERTICES_MAX]; /* in the grid's frame */
    size_t count;
    double loss_db;
} path_back;

static void add_vertex(path_back *back, rw_vec2 at, double z_m, rw_interaction interaction, double loss_db)
{
    back->vertices[back->count++] =
        (rw_path_vertex){.x_m = at.x, .y_m = at.y, .z_m = z_m, .interaction = interaction, .loss_db = (float)loss_db};
    back->loss_db += loss_db;
}

/* What an interaction costs: at is the next vertex, fixed_m the plan length of the path up to the next corner or the
 * receiver. */
static double interaction_db(const rw_beam_finding *finding, const rw_beam *beam, rw_vec2 at, double fixed_m)
{
    const rw_wall_list *list = &finding->evaluation->prediction->scene->prepared->walls;
    rw_vec2 ray = rw_unit(rw_vec2_sub(at, beam->origin));
    if (beam->kind == RW_BEAM_DIFFRACTED)
        return rw_corner_loss_db(finding->losses, beam, ray, fixed_m - beam->before_m);
    double cosine = rw_vec2_dot(ray, list->normals[beam->wall]);
    uint32_t surface = list->surfaces[beam->wall];
    if (beam->kind == RW_BEAM_REFLECTED)
        return (double)rw_reflection_loss_db(finding->losses, surface, beam->reflections - 1, cosine);
    return (double)rw_transmission_loss_db(finding->losses, surface, beam->transmissions - 1, cosine);
}

/* What terrain takes from the straight path, as evaluate_beams.k.h has it in maps. */
static double ground_db(const rw_beam_finding *finding, rw_vec3 receiver)
{
    const rw_beam_evaluation *evaluation = finding->evaluation;
    rw_wall_grid_view grid = evaluation->prediction->scene->prepared->grid.view;
    if (!(evaluation->ground_m > 0))
        return 0;
    grid.curve_per_m = rw_prediction_curve_per_m(evaluation->prediction);
    grid.ground_curve_per_m = rw_prediction_ground_curve_per_m(evaluation->prediction);
    return rw_beam_ground_db(&grid, evaluation->source, evaluation->ground_m,
                             evaluation->settings->roofs == RW_ROOFS_VOGLER, RW_FACADE_DB, receiver);
}

/* What the edges beside a path take, as evaluate_beams.k.h has it in maps. */
static double boundaries_db(const rw_beam_finding *finding, const rw_beam *beams, uint32_t last, rw_vec3 receiver)
{
    const rw_beam_evaluation *evaluation = finding->evaluation;
    rw_wall_grid_view grid = evaluation->prediction->scene->prepared->grid.view;
    const rw_beam_walls walls = {.exact = grid.exact};
    if (!finding->losses->theory || !finding->edges.rows)
        return 0;
    grid.curve_per_m = rw_prediction_curve_per_m(evaluation->prediction);
    return rw_boundaries_db(&finding->edges, finding->losses, beams, beams + last, &walls, &grid, evaluation->source,
                            receiver);
}

/* Walks from the receiver to the transmitter. */
static void trace_beam_back(const rw_beam_finding *finding, const rw_beam *beams, uint32_t last, rw_vec3 receiver,
                            path_back *back)
{
    static const rw_interaction interactions[] = {RW_INTERACTION_END, RW_INTERACTION_REFLECTION, RW_INTERACTION_WALL,
                                                  RW_INTERACTION_STREET};
    const rw_beam_walls walls = {.exact = finding->evaluation->prediction->scene->prepared->grid.view.exact};
    const rw_beam *beam = beams + last;
    rw_vec3 source = finding->evaluation->source;
    rw_vec2 at = plan_of_point(receiver), across = rw_vec2_sub(at, beam->origin);
    double fixed_m = beam->before_m + sqrt(rw_vec2_dot(across, across));
    double slope = (receiver.z - source.z) / fixed_m;
    add_vertex(back, at, receiver.z, RW_INTERACTION_END, 0);
    for (; beam->kind != RW_BEAM_SOURCE; beam = beams + beam->parent) {
        rw_vec2 met = rw_beam_exit(beam, &walls, at), leg = rw_vec2_sub(met, beam->origin);
        double z_m = source.z + slope * (beam->before_m + sqrt(rw_vec2_dot(leg, leg)));
        add_vertex(back, met, z_m, interactions[beam->kind], interaction_db(finding, beam, at, fixed_m));
        fixed_m = beam->kind == RW_BEAM_DIFFRACTED ? beam->before_m : fixed_m;
        at = met;
    }
    add_vertex(back, plan_of_point(source), source.z, RW_INTERACTION_END, 0);
    if (back->count == 2)
        back->loss_db += ground_db(finding, receiver);
    back->loss_db += boundaries_db(finding, beams, last, receiver);
}

/* Angle by which the path turns at a vertex. */
static float deflection_at(const rw_path_vertex *before, const rw_path_vertex *at, const rw_path_vertex *after)
{
    rw_vec3 in = rw_vec3_of(at->x_m - before->x_m, at->y_m - before->y_m, at->z_m - before->z_m);
    rw_vec3 out = rw_vec3_of(after->x_m - at->x_m, after->y_m - at->y_m, after->z_m - at->z_m);
    return (float)atan2(rw_vec3_length(rw_vec3_cross(in, out)), rw_vec3_dot(in, out));
}

/* Turns a path round, so that it begins at the transmitter, and keeps it. */
static rw_status append_forward_path(const rw_beam_finding *finding, uint32_t receiver, size_t record_number,
                                     const path_back *back)
{
    const rw_scene *scene = finding->evaluation->prediction->scene;
    rw_vec2 shift = rw_vec2_add(scene->prepared->grid.centre, scene->origin);
    rw_path_vertex forward[VERTICES_MAX];
    double length_m = 0;
    for (size_t i = 0; i < back->count; i++) {
        forward[i] = back->vertices[back->count - 1 - i];
        if (i > 0)
            length_m +=
                rw_vec3_length(rw_vec3_of(forward[i].x_m - forward[i - 1].x_m, forward[i].y_m - forward[i - 1].y_m,
                                          forward[i].z_m - forward[i - 1].z_m));
    }
    for (size_t i = 1; i + 1 < back->count; i++)
        forward[i].angle_rad = deflection_at(&forward[i - 1], &forward[i], &forward[i + 1]);
    for (size_t i = 0; i < back->count; i++) {
        forward[i].x_m += shift.x;
        forward[i].y_m += shift.y;
    }
    rw_path_entry entry = {.point = receiver,
                           .transmitter = finding->transmitter,
                           .vertex_count = back->count,
                           .stored = record_number,
                           .free_space_db = rw_free_space_loss_db(length_m, finding->wavelength_m),
                           .loss_db = rw_length_loss_db(finding->losses, length_m) + back->loss_db};
    return rw_paths_add(finding->paths, &entry, forward);
}

/* In the record, where there is one; *kept: its number there, plus 1. */
static rw_status record_beam_path(const rw_beam_finding *finding, const rw_beam *beams, uint32_t last, rw_vec3 receiver,
                                  uint32_t point, size_t *record_number)
{
    rw_gain_record *record = finding->paths->record;
    size_t before = record ? record->path_count : 0;
    *record_number = 0;
    if (!record)
        return RW_OK;
    RW_TRY(rw_beam_record_path(&finding->recorder, beams, last, receiver, point, record));
    *record_number = record->path_count > before ? record->path_count : 0;
    if (*record_number && beams[last].kind == RW_BEAM_SOURCE)
        rw_gain_record_attenuate(record, *record_number - 1, ground_db(finding, receiver));
    return RW_OK;
}

static rw_status append_beam_path(const rw_beam_finding *finding, const rw_beam *beams, rw_beam_find find)
{
    path_back back = {.count = 0};
    rw_vec3 receiver = rw_receiver_point(&finding->evaluation->prediction->receivers.view, find.receiver);
    size_t record_number;
    trace_beam_back(finding, beams, find.beam, receiver, &back);
    RW_TRY(record_beam_path(finding, beams, find.beam, receiver, find.receiver, &record_number));
    return append_forward_path(finding, find.receiver, record_number, &back);
}

/* The way over the roofs for one transmitter: one form or the other. */
typedef struct roof_finding {
    rw_wall_grid_view grid;
    rw_roof_choice choice;
    rw_deflection roof;
    rw_roof_source source;
} roof_finding;

/* Vertices over the upper hull, each with the polynomial's loss; 0 where the loss is above the most that counts. */
static int go_over_hull(const rw_beam_finding *finding, const roof_finding *roofs, rw_vec3 receiver, path_back *back)
{
    rw_vec3 source = finding->evaluation->source;
    rw_sight sight = rw_sight_of(&roofs->grid, receiver, source);
    rw_roof_path over;
    double length_m;
    rw_roof_path_find(&roofs->grid, &sight, &over);
    double loss_db = rw_roof_deflections_db(&over, &sight, roofs->roof, &length_m);
    if (!(loss_db + rw_length_loss_db(finding->losses, length_m) <= (double)finding->losses->loss_max_db))
        return 0;
    add_vertex(back, plan_of_point(receiver), receiver.z, RW_INTERACTION_END, 0);
    for (int i = 0; i < over.count; i++) {
        double t = (double)over.t[i];
        add_vertex(back, rw_vec2_of(receiver.x + t * (source.x - receiver.x), receiver.y + t * (source.y - receiver.y)),
                   (double)over.z[i], RW_INTERACTION_ROOF, 0);
    }
    add_vertex(back, plan_of_point(source), source.z, RW_INTERACTION_END, 0);
    for (size_t i = 1; i + 1 < back->count; i++) {
        rw_path_vertex *at = &back->vertices[i];
        at->loss_db = (float)rw_deflection_loss_db(roofs->roof, (double)deflection_at(at - 1, at, at + 1));
        back->loss_db += (double)at->loss_db;
    }
    return 1;
}

/* Vertices at the main edges that the wave bends over, which share its loss. */
static void go_over_edges(const rw_beam_finding *finding, const roof_finding *roofs, rw_vec3 receiver, path_back *back)
{
    rw_vec3 source = finding->evaluation->source, away = rw_vec3_sub(receiver, source);
    rw_main_edges edges;
    double excess_db = (double)rw_over_rooftop_db(&roofs->grid, &roofs->source, receiver, 0, &edges);
    double bent_m = rw_main_edges_length_m(&edges, away.z), straight_m = rw_vec3_length(away);
    add_vertex(back, plan_of_point(receiver), receiver.z, RW_INTERACTION_END, 0);
    for (int i = edges.count - 1; i >= 0; i--) {
        double t = (double)(edges.x_m[i] / edges.length_m);
        if (edges.h_m[i] > rw_main_string_m(&edges, i))
            add_vertex(back, rw_vec2_of(source.x + t * away.x, source.y + t * away.y),
                       source.z + t * away.z + (double)edges.h_m[i], RW_INTERACTION_ROOF, 0);
    }
    add_vertex(back, plan_of_point(source), source.z, RW_INTERACTION_END, 0);
    /* the loss counts from free space over the straight line, and a path's from that over its own length */
    back->loss_db = excess_db + rw_length_loss_db(finding->losses, straight_m) -
                    rw_length_loss_db(finding->losses, bent_m > 0 ? bent_m : straight_m);
    for (size_t i = 1; i + 1 < back->count; i++)
        back->vertices[i].loss_db = (float)(back->loss_db / (double)(back->count - 2));
}

_Static_assert(RW_ROOF_POINTS_MAX + 2 <= VERTICES_MAX, "room for a path over the roofs");

/* Places of a transmitter over which the loss over roofs is differentiated: it is computed in float. */
#define ROOF_STEP_M 0.25

typedef struct roof_loss {
    const rw_beam_finding *finding;
    const roof_finding *roofs;
    rw_vec3 receiver;
} roof_loss;

/* An rw_gain_loss_fn: what the path over the roofs loses from another place, as rooftop_paths.k.h has it. */
static double evaluate_rooftop_loss_db(void *user, rw_vec3 source)
{
    const roof_loss *of = user;
    const rw_beam_losses *losses = of->finding->losses;
    const rw_prediction *prediction = of->finding->evaluation->prediction;
    rw_roof_source from = of->roofs->source;
    from.at = source;
    double received_dbi = rw_receiver_gain_dbi(prediction, rw_vec3_sub(source, of->receiver));
    if (of->roofs->choice == RW_ROOFS_VOGLER) {
        rw_main_edges edges;
        double straight_m = rw_vec3_length(rw_vec3_sub(of->receiver, source));
        return (double)rw_over_rooftop_db(&of->roofs->grid, &from, of->receiver, 0, &edges) +
               rw_length_loss_db(losses, straight_m) - received_dbi;
    }
    rw_sight sight = rw_sight_of(&of->roofs->grid, of->receiver, source);
    rw_roof_path over;
    double length_m;
    rw_roof_path_find(&of->roofs->grid, &sight, &over);
    double loss_db = rw_roof_deflections_db(&over, &sight, of->roofs->roof, &length_m);
    return loss_db + rw_length_loss_db(losses, length_m) - received_dbi;
}

static rw_status record_roof(const rw_beam_finding *finding, const roof_finding *roofs, rw_vec3 receiver,
                             uint32_t point, size_t *record_number)
{
    rw_gain_record *record = finding->paths->record;
    roof_loss of = {finding, roofs, receiver};
    *record_number = 0;
    if (!record)
        return RW_OK;
    RW_TRY(rw_gain_record_loss(record, finding->transmitter, point, finding->evaluation->source, receiver, ROOF_STEP_M,
                               evaluate_rooftop_loss_db, &of));
    *record_number = record->path_count;
    return RW_OK;
}

/* The path over the roofs to one point that does not see the transmitter, as rooftop_paths.k.h has it in maps. */
static rw_status add_roof_path(const rw_beam_finding *finding, const roof_finding *roofs, uint32_t index)
{
    rw_vec3 receiver = rw_receiver_point(&finding->evaluation->prediction->receivers.view, index);
    rw_sight sight = rw_sight_of(&roofs->grid, receiver, finding->evaluation->source);
    path_back back = {.count = 0};
    if (rw_march_clear(&roofs->grid, &sight))
        return RW_OK;
    if (roofs->choice == RW_ROOFS_VOGLER)
        go_over_edges(finding, roofs, receiver, &back);
    else if (!go_over_hull(finding, roofs, receiver, &back))
        return RW_OK;
    size_t record_number;
    RW_TRY(record_roof(finding, roofs, receiver, index, &record_number));
    return append_forward_path(finding, index, record_number, &back);
}

static rw_status add_roof_paths(const rw_beam_finding *finding, rw_roof_choice choice)
{
    const rw_prediction *prediction = finding->evaluation->prediction;
    const rw_receivers_view *view = &prediction->receivers.view;
    roof_finding roofs = {.grid = prediction->scene->prepared->grid.view, .choice = choice};
    rw_deflection_setting setting =
        rw_deflection_setting_default(RW_DEFLECTION_ROOF, rw_prediction_freq_hz(prediction, finding->transmitter));
    RW_TRY(rw_deflection_fit(prediction->scene->context, RW_DEFLECTION_ROOF, &setting, &roofs.roof, NULL));
    roofs.source = (rw_roof_source){finding->evaluation->source, (float)finding->wavelength_m, RW_FACADE_DB};
    roofs.grid.curve_per_m = rw_prediction_curve_per_m(prediction);
    roofs.grid.ground_curve_per_m = rw_prediction_ground_curve_per_m(prediction);
    rw_grid_widen(&roofs.grid, view, finding->evaluation->source);
    for (size_t i = 0; i < view->outdoor_count; i++)
        RW_TRY(add_roof_path(finding, &roofs, view->outdoor[i]));
    return RW_OK;
}

static rw_status append_found_beam_paths(const rw_beam_finding *finding, const rw_beam *beams,
                                         const rw_beam_find *finds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        RW_TRY(append_beam_path(finding, beams, finds[i]));
    return RW_OK;
}

/* An rw_pieces_fn; user is the finding. */
static rw_status find_paths(void *user, const rw_beam_tracer *tracer, size_t beam_count, size_t piece_count)
{
    rw_beam_finding *finding = user;
    rw_context *context = tracer->prediction->scene->context;
    struct rw_collect_paths_args args = {.all = rw_beam_evaluation_args(finding->evaluation, tracer)};
    args.all.finds = finding->finds;
    args.all.find_count = finding->find_count;
    args.all.find_capacity = finding->find_capacity;
    uint32_t count;
    RW_TRY(rw_device_clear(context, tracer->backend, finding->find_count, sizeof count));
    RW_TRY(rw_device_launch(context, tracer->backend, RW_KERNEL_collect_paths, &args, piece_count));
    RW_TRY(rw_device_download(context, tracer->backend, &count, finding->find_count, sizeof count));
    if (count > finding->find_capacity)
        return rw_fail(context, RW_TOO_LARGE,
                       "the points have more than %u paths at once; ask for fewer points, or lower the limits of paths",
                       finding->find_capacity);
    if (count == 0)
        return RW_OK;
    rw_beam_find *finds = NULL;
    rw_beam *beams = NULL;
    rw_status status = rw_array_create(context, count, sizeof *finds, "paths", &finds);
    if (status == RW_OK)
        status = rw_array_create(context, beam_count, sizeof *beams, "beams", &beams);
    if (status == RW_OK)
        status = rw_device_download(context, tracer->backend, finds, finding->finds, count * sizeof *finds);
    if (status == RW_OK)
        status = rw_device_download(context, tracer->backend, beams, tracer->beams, beam_count * sizeof *beams);
    if (status == RW_OK)
        status = append_found_beam_paths(finding, beams, finds, count);
    free(finds);
    free(beams);
    return status;
}

static int compare_path_entries(const void *a, const void *b)
{
    const rw_path_entry *first = a, *second = b;
    if (first->point != second->point)
        return first->point < second->point ? -1 : 1;
    if (first->loss_db != second->loss_db)
        return first->loss_db < second->loss_db ? -1 : 1;
    return first->free_space_db < second->free_space_db ? -1 : first->free_space_db > second->free_space_db;
}

/* Number among the outdoor receivers of the cell that a point (in the grid's frame) is in; their count: none. */
static size_t outdoor_at(const rw_receivers_view *cells, rw_vec3 point)
{
    double column = floor((point.x - cells->x0_m) / cells->res_m + 0.5);
    double row = floor((point.y - cells->y0_m) / cells->res_m + 0.5);
    if (!(column >= 0 && column < (double)cells->columns && row >= 0 && row < (double)cells->rows))
        return cells->outdoor_count;
    size_t cell = (size_t)row * cells->columns + (size_t)column, at = 0;
    while (at < cells->outdoor_count && cells->outdoor[at] != cell)
        at++;
    return at;
}

/* Paths that cost no more than paths may, of one point. */
static rw_status append_stored_paths(const rw_beam_finding *finding, const rw_stored_paths *stored,
                                     const rw_receivers_view *cells, uint32_t index)
{
    const rw_receivers_view *points = &finding->evaluation->prediction->receivers.view;
    size_t outdoor = outdoor_at(cells, rw_receiver_point(points, index));
    if (outdoor == cells->outdoor_count)
        return RW_OK;
    rw_vec3 receiver = rw_receiver_point(cells, cells->outdoor[outdoor]);
    for (uint64_t i = stored->firsts[outdoor]; i < stored->firsts[outdoor + 1]; i++) {
        path_back back = {.count = 0};
        const rw_beam *beam = stored->beams + stored->lasts[i];
        trace_beam_back(finding, stored->beams, stored->lasts[i], receiver, &back);
        double plan_m = beam->before_m + hypot(receiver.x - beam->origin.x, receiver.y - beam->origin.y);
        double length_m = hypot(plan_m, receiver.z - finding->evaluation->source.z);
        if (rw_length_loss_db(finding->losses, length_m) + back.loss_db <= (double)finding->losses->loss_max_db)
            RW_TRY(append_forward_path(finding, index, 0, &back));
    }
    return RW_OK;
}

static rw_status find_stored_paths(const rw_beam_finding *finding, const rw_beam_settings *settings)
{
    const rw_receivers_view *points = &finding->evaluation->prediction->receivers.view;
    rw_prediction *cells;
    rw_stored_beams stored = {0};
    RW_TRY(rw_stored_beams_open_cells(finding->evaluation->prediction, settings, &cells, &stored));
    const rw_stored_paths *own = &stored.transmitters[finding->transmitter];
    rw_status status = RW_OK;
    finding->evaluation->source = own->source;
    for (size_t i = 0; i < points->outdoor_count && status == RW_OK; i++)
        status = append_stored_paths(finding, own, &cells->receivers.view, points->outdoor[i]);
    rw_stored_beams_destroy(&stored);
    rw_prediction_destroy(cells);
    return status;
}

static rw_status trace_one(rw_beam_tracer *tracer, const rw_beam_settings *settings, rw_beam_finding *finding)
{
    const rw_prediction *prediction = tracer->prediction;
    size_t before = finding->paths->count;
    double freq_hz = rw_prediction_freq_hz(prediction, finding->transmitter);
    rw_beam_tables tables;
    finding->wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    RW_TRY(rw_beam_tables_create(prediction, settings, finding->transmitter, &tables));
    finding->losses = &tables.host_losses;
    finding->edges = tracer->host_edges.view;
    rw_status status = rw_beam_evaluation_begin(finding->evaluation, finding->transmitter, &tables.losses);
    if (status == RW_OK && finding->paths->record)
        status = rw_beam_recorder_open(prediction, finding->transmitter, finding->evaluation->source, finding->losses,
                                       &finding->edges, finding->paths->record, &finding->recorder);
    if (status == RW_OK && prediction->options->reuse)
        status = find_stored_paths(finding, settings);
    else if (status == RW_OK)
        status = rw_beam_trace(tracer, finding->evaluation->source, &tables.losses, find_paths, finding);
    if (status == RW_OK && settings->roofs)
        status = add_roof_paths(finding, settings->roofs);
    rw_beam_tables_destroy(&tables);
    rw_beam_recorder_close(&finding->recorder);
    if (status == RW_OK && finding->paths->count > before)
        rw_sort(finding->paths->entries + before, finding->paths->count - before, sizeof *finding->paths->entries,
                compare_path_entries);
    return status;
}

rw_status rw_beam_finding_create(rw_beam_evaluation *evaluation, rw_beam_finding **finding_out)
{
    rw_context *context = evaluation->prediction->scene->context;
    rw_beam_finding *finding;
    RW_TRY(rw_array_create(context, 1, sizeof *finding, "paths", &finding));
    finding->evaluation = evaluation;
    double default_bytes = (double)(1u << 22) * sizeof *finding->finds;
    finding->find_capacity =
        (uint32_t)(rw_device_buffer_bytes(evaluation->backend, default_bytes, 0.5) / sizeof *finding->finds);
    rw_status status = rw_device_alloc(context, evaluation->backend, finding->find_capacity * sizeof *finding->finds,
                                       "paths", &finding->finds);
    if (status == RW_OK)
        status = rw_device_alloc(context, evaluation->backend, sizeof(uint32_t), "counts", &finding->find_count);
    if (status == RW_OK)
        *finding_out = finding;
    else
        rw_beam_finding_destroy(finding);
    return status;
}

void rw_beam_finding_destroy(rw_beam_finding *finding)
{
    if (finding->finds)
        rw_device_free(finding->evaluation->backend, finding->finds);
    if (finding->find_count)
        rw_device_free(finding->evaluation->backend, finding->find_count);
    free(finding);
}

rw_status rw_beam_trace_points(rw_beam_tracer *tracer, rw_beam_finding *finding, size_t transmitter, rw_paths *paths)
{
    finding->transmitter = transmitter;
    finding->paths = paths;
    return trace_one(tracer, tracer->settings, finding);
}
