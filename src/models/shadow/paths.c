/* The path that each receiver takes, with its vertices and what each of them costs. */
#include "base/memory.h"
#include "field/surfaces/surfaces.h"
#include "models/shadow/shadow.h"

#include <math.h>
#include <stdlib.h>

#define VERTICES_MAX (2 * RW_ROOF_POINTS_MAX + RW_STREET_ORDER_MAX + 3) /* all terms of equation (20) on one path */

/* Berg's loss as the sum of what each turn adds: the illusory distance over the real one, with one turn more each time.
 */
static void split_berg_loss(float q90, const double *legs_m, double rise_m, rw_path_vertex *corners, int count)
{
    double before_db = 0;
    for (int diffractions = 1; diffractions <= count; diffractions++) {
        rw_berg berg = rw_berg_start((float)legs_m[0]);
        double length_m = legs_m[0];
        for (int i = 1; i <= count; i++) {
            berg = rw_berg_diffract(berg, q90, i <= diffractions ? corners[i - 1].angle_rad : 0.0f, (float)legs_m[i]);
            length_m += legs_m[i];
        }
        double excess_db = 20 * log10(hypot((double)berg.distance_m, rise_m) / hypot(length_m, rise_m));
        corners[diffractions - 1].loss_db = (float)(excess_db - before_db);
        before_db = excess_db;
    }
}

/* Answers of one transmitter on the host. */
typedef struct trace_band {
    uint8_t *mechanism;
    uint32_t *street_path, *walls;
    float *loss_db;
    uint32_t *strongest; /* RW_STRONGEST_PATHS_MAX a cell where several are asked for; else NULL, as the next */
    float *strongest_db;
    rw_street_path *paths;
    size_t path_count;
} trace_band;

typedef struct trace_path {
    rw_path_entry entry;
    rw_path_vertex vertices[VERTICES_MAX];
} trace_path;

static rw_path_vertex *append_vertex(trace_path *path, rw_vec3 at, rw_interaction interaction)
{
    rw_path_vertex *vertex = &path->vertices[path->entry.vertex_count++];
    *vertex = (rw_path_vertex){.x_m = at.x, .y_m = at.y, .z_m = at.z, .interaction = interaction};
    return vertex;
}

/* Corners from the source on, at the heights of the unfolded path or in the receiver plane. */
static void append_corners(const rw_shadow_job *job, const rw_shadow_source *source, const trace_band *band,
                           uint32_t index, rw_vec3 receiver, trace_path *path)
{
    const rw_corner *corners = job->prediction->scene->prepared->corners.items;
    const rw_corner_beams_view *beams = &job->args.street.beams;
    uint32_t chain[RW_STREET_ORDER_MAX];
    int count = 0;
    for (uint32_t i = index; i != RW_STREET_NONE; i = band->paths[i].before)
        chain[count++] = i;
    const rw_street_path *last = &band->paths[index];
    double dx = receiver.x - corners[last->corner].x, dy = receiver.y - corners[last->corner].y;
    double slope = (receiver.z - source->at.z) / ((double)last->length_m + hypot(dx, dy));
    double legs_m[RW_STREET_ORDER_MAX + 1];
    rw_path_vertex *first = &path->vertices[path->entry.vertex_count];
    for (int i = count - 1; i >= 0; i--) {
        const rw_street_path *at = &band->paths[chain[i]];
        const rw_corner *corner = &corners[at->corner];
        double z = beams->used ? receiver.z : source->at.z + slope * (double)at->length_m;
        rw_path_vertex *vertex = append_vertex(path, rw_vec3_of(corner->x, corner->y, z), RW_INTERACTION_STREET);
        const rw_street_path *after = i > 0 ? &band->paths[chain[i - 1]] : NULL;
        double away = hypot(dx, dy);
        float on_x = after ? after->dx : (float)(dx / away), on_y = after ? after->dy : (float)(dy / away);
        vertex->angle_rad = rw_street_angle_rad(beams, source, at, on_x, on_y);
        vertex->loss_db = (float)rw_deflection_loss_db(source->street, (double)vertex->angle_rad);
        legs_m[count - 1 - i] = (double)at->length_m - (i + 1 < count ? (double)band->paths[chain[i + 1]].length_m : 0);
    }
    legs_m[count] = hypot(dx, dy);
    if (source->berg)
        split_berg_loss(source->q90, legs_m, receiver.z - source->at.z, first, count);
}

/* Main edges of the screens that the wave bends over, from the source on, with what they cost together in equal parts.
 */
static void append_screens(const rw_shadow_job *job, const rw_shadow_source *source, rw_vec3 receiver, double excess_db,
                           trace_path *path)
{
    rw_wall_grid_view grid = rw_shadow_host_grid(job);
    rw_roof_source roof = {source->at, (float)source->wavelength_m, job->over_roofs.facade_db};
    rw_sight sight = rw_sight_of(&grid, receiver, source->at);
    rw_roof_hill hill = rw_roof_hill_find(&grid, &roof, &sight);
    rw_main_edges edges = rw_over_roofs_edges(&grid, &roof, &sight, &hill, 0);
    size_t first = path->entry.vertex_count;
    for (int i = 0; i < edges.count; i++) {
        double t = (double)(edges.x_m[i] / edges.length_m), line_z = source->at.z + t * (receiver.z - source->at.z);
        if (!(edges.h_m[i] > rw_main_string_m(&edges, i)))
            continue;
        append_vertex(path,
                      rw_vec3_of(source->at.x + t * (receiver.x - source->at.x),
                                 source->at.y + t * (receiver.y - source->at.y), line_z + (double)edges.h_m[i]),
                      RW_INTERACTION_ROOF);
    }
    size_t count = path->entry.vertex_count - first;
    append_vertex(path, receiver, RW_INTERACTION_END);
    for (size_t i = first; i < first + count; i++) {
        rw_path_vertex *at = &path->vertices[i];
        double before = atan2(at->z_m - at[-1].z_m, hypot(at->x_m - at[-1].x_m, at->y_m - at[-1].y_m));
        double after = atan2(at[1].z_m - at->z_m, hypot(at[1].x_m - at->x_m, at[1].y_m - at->y_m));
        at->angle_rad = (float)fabs(after - before);
        at->loss_db = (float)(excess_db / (double)count);
    }
    path->entry.vertex_count--; /* the end is the caller's */
}

/* Roof edges from the source on. The hull is found from the receiver, so they come in reverse. */
static void append_roofs(const rw_shadow_job *job, const rw_shadow_source *source, rw_vec3 receiver, trace_path *path)
{
    rw_wall_grid_view grid = rw_shadow_host_grid(job);
    rw_sight sight = rw_sight_of(&grid, receiver, source->at);
    rw_roof_path roofs;
    rw_roof_path_find(&grid, &sight, &roofs);
    size_t first = path->entry.vertex_count;
    for (int i = roofs.count - 1; i >= 0; i--) {
        double t = (double)roofs.t[i];
        append_vertex(path,
                      rw_vec3_of(receiver.x + t * (source->at.x - receiver.x),
                                 receiver.y + t * (source->at.y - receiver.y), (double)roofs.z[i]),
                      RW_INTERACTION_ROOF);
    }
    rw_path_vertex *ends = append_vertex(path, receiver, RW_INTERACTION_END);
    for (rw_path_vertex *at = path->vertices + first; at < ends; at++) {
        double before = atan2(at->z_m - at[-1].z_m, hypot(at->x_m - at[-1].x_m, at->y_m - at[-1].y_m));
        double after = atan2(at[1].z_m - at->z_m, hypot(at[1].x_m - at->x_m, at[1].y_m - at->y_m));
        at->angle_rad = (float)fabs(after - before);
        at->loss_db = (float)rw_deflection_loss_db(source->roof, (double)at->angle_rad);
    }
    path->entry.vertex_count--; /* the end is the caller's */
}

/* Roofs that are only counted, or walls: one vertex each, spread evenly on the straight line, since where they are does
 * not matter to the loss. */
static void append_counted(const rw_shadow_source *source, rw_vec3 receiver, uint32_t walls, rw_interaction interaction,
                           trace_path *path)
{
    uint32_t shown = walls < RW_ROOF_POINTS_MAX ? walls : RW_ROOF_POINTS_MAX;
    double through_db = rw_multi_wall_loss_db(source->wall, (double)walls);
    double roofs_db = rw_counted_roofs_loss_db(source->roof_count_db, (double)walls);
    double each_db = (interaction == RW_INTERACTION_ROOF ? roofs_db : through_db) / (double)walls;
    for (uint32_t i = 0; i < shown; i++) {
        double t = ((double)i + 1) / ((double)shown + 1);
        rw_vec3 at =
            rw_vec3_of(source->at.x + t * (receiver.x - source->at.x), source->at.y + t * (receiver.y - source->at.y),
                       source->at.z + t * (receiver.z - source->at.z));
        append_vertex(path, at, interaction)->loss_db = (float)(each_db * (double)walls / (double)shown);
    }
}

static int nearer_source(const void *left, const void *right)
{
    const rw_crossed_wall *a = left, *b = right;
    return a->t > b->t ? -1 : a->t < b->t;
}

/* Walls that cost what their constructions do, where the line crosses them. The last that there is room for has the
 * losses of all behind it. */
static rw_status append_slabs(const rw_shadow_job *job, const rw_shadow_source *source, size_t transmitter,
                              rw_vec3 receiver, rw_paths *paths, trace_path *path)
{
    const rw_scene *scene = job->prediction->scene;
    rw_wall_grid_view grid = rw_shadow_host_grid(job);
    rw_sight sight = rw_sight_of(&grid, receiver, source->at);
    rw_crossed_wall crossed[RW_ROOF_POINTS_MAX];
    rw_slab_line line = rw_slab_line_start(&sight, &job->slabs.host, transmitter, crossed, RW_ROOF_POINTS_MAX);
    rw_slab_line_march(&grid, &sight, &job->slabs.host, &line);
    size_t count = line.count < RW_ROOF_POINTS_MAX ? line.count : RW_ROOF_POINTS_MAX;
    rw_sort(crossed, count, sizeof *crossed, nearer_source);
    float shown_db = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = scene->surfaces.items[crossed[i].surface];
        rw_vec3 offset = rw_vec3_scale(rw_vec3_sub(source->at, receiver), crossed[i].t);
        rw_path_vertex *vertex = append_vertex(path, rw_vec3_add(receiver, offset), RW_INTERACTION_WALL);
        vertex->loss_db = i + 1 == count ? line.loss_db - shown_db : crossed[i].loss_db;
        shown_db += crossed[i].loss_db;
        RW_TRY(rw_paths_store_name(paths, name, &vertex->surface));
        RW_TRY(rw_paths_store_name(paths, rw_construction_material(scene, name), &vertex->material));
    }
    return RW_OK;
}

/* What trees take from the way that a receiver is reached by; path: with its vertices in the grid's frame. */
static double find_foliage_db(const rw_shadow_job *job, size_t transmitter, uint8_t mechanism, rw_vec3 receiver,
                              const trace_path *path)
{
    const rw_foliage_view *foliage = &job->foliage.foliage.host;
    rw_wall_grid_view grid = rw_shadow_host_grid(job);
    rw_vec3 source = job->host_sources[transmitter].at;
    double depth_m = 0;
    if (!job->foliage.prediction)
        return 0;
    if (mechanism == RW_SHADOW_ROOF && job->foliage.roof_db)
        depth_m = rw_foliage_roof_depth_m(foliage, &grid, receiver, source);
    else if (mechanism != RW_SHADOW_STREET)
        depth_m = rw_foliage_depth_m(foliage, receiver, source);
    for (size_t i = 1; mechanism == RW_SHADOW_STREET && i < path->entry.vertex_count; i++) {
        const rw_path_vertex *at = &path->vertices[i - 1];
        depth_m += rw_foliage_depth_m(foliage, rw_vec3_of(at[0].x_m, at[0].y_m, at[0].z_m),
                                      rw_vec3_of(at[1].x_m, at[1].y_m, at[1].z_m));
    }
    return rw_foliage_loss_db(job->foliage.host_laws[transmitter], depth_m);
}

/* One way to a receiver. */
typedef struct path_choice {
    rw_shadow_mechanism mechanism;
    uint32_t street_path;
    double loss_db;
} path_choice;

/* Equation (20) as written: corners, then roofs and walls, on one path. */
static rw_status build_terms(const rw_shadow_job *job, size_t transmitter, const trace_band *band, size_t cell,
                             trace_path *path)
{
    const rw_shadow_source *source = &job->host_sources[transmitter];
    rw_vec3 receiver = rw_receiver_point(&job->prediction->receivers.view, cell);
    if (band->street_path[cell] != RW_STREET_NONE)
        append_corners(job, source, band, band->street_path[cell], receiver, path);
    trace_path over = {.entry = {0}};
    append_vertex(&over, source->at, RW_INTERACTION_END);
    if (job->effects.roofs == RW_SHADOW_ROOFS_ANGLES)
        append_roofs(job, source, receiver, &over);
    else if (job->effects.roofs == RW_SHADOW_ROOFS_COUNTED)
        append_counted(source, receiver, band->walls[cell], RW_INTERACTION_ROOF, &over);
    for (size_t i = 1; i < over.entry.vertex_count; i++)
        path->vertices[path->entry.vertex_count++] = over.vertices[i];
    if (job->effects.walls && band->walls[cell])
        append_counted(source, receiver, band->walls[cell], RW_INTERACTION_WALL, path);
    return RW_OK;
}

static rw_status build_trace_path(const rw_shadow_job *job, size_t transmitter, const trace_band *band, size_t cell,
                                  path_choice choice, rw_paths *paths, trace_path *path)
{
    const rw_shadow_source *source = &job->host_sources[transmitter];
    rw_vec3 receiver = rw_receiver_point(&job->prediction->receivers.view, cell);
    append_vertex(path, source->at, RW_INTERACTION_END);
    if (job->effects.all_terms && choice.mechanism != RW_SHADOW_SIGHT)
        RW_TRY(build_terms(job, transmitter, band, cell, path));
    else if (choice.mechanism == RW_SHADOW_STREET)
        append_corners(job, source, band, choice.street_path, receiver, path);
    else if (choice.mechanism == RW_SHADOW_ROOF && job->effects.roofs == RW_SHADOW_ROOFS_ANGLES)
        append_roofs(job, source, receiver, path);
    else if (choice.mechanism == RW_SHADOW_ROOF && job->effects.roofs == RW_SHADOW_ROOFS_SCREENS)
        append_screens(job, source, receiver,
                       choice.loss_db - rw_shadow_direct_db(source, receiver) -
                           find_foliage_db(job, transmitter, (uint8_t)choice.mechanism, receiver, path),
                       path);
    else if (choice.mechanism == RW_SHADOW_ROOF)
        append_counted(source, receiver, band->walls[cell], RW_INTERACTION_ROOF, path);
    else if (choice.mechanism == RW_SHADOW_THROUGH && job->slabs.prediction)
        RW_TRY(append_slabs(job, source, transmitter, receiver, paths, path));
    else if (choice.mechanism == RW_SHADOW_THROUGH)
        append_counted(source, receiver, band->walls[cell], RW_INTERACTION_WALL, path);
    append_vertex(path, receiver, RW_INTERACTION_END);
    return RW_OK;
}

/* From the grid's frame to the world. */
static void transform_to_world(const rw_scene *scene, trace_path *path)
{
    rw_vec2 centre = scene->prepared->grid.centre;
    for (size_t i = 0; i < path->entry.vertex_count; i++) {
        path->vertices[i].x_m += centre.x + scene->origin.x;
        path->vertices[i].y_m += centre.y + scene->origin.y;
    }
}

static double sum_path_length(const trace_path *path)
{
    double length_m = 0;
    for (size_t i = 1; i < path->entry.vertex_count; i++) {
        const rw_path_vertex *a = &path->vertices[i - 1], *b = &path->vertices[i];
        length_m += rw_vec3_length(rw_vec3_of(b->x_m - a->x_m, b->y_m - a->y_m, b->z_m - a->z_m));
    }
    return length_m;
}

static rw_status add_traced_path(const rw_shadow_job *job, size_t transmitter, const trace_band *band, size_t cell,
                                 path_choice choice, rw_paths *paths)
{
    rw_vec3 receiver = rw_receiver_point(&job->prediction->receivers.view, cell);
    const rw_shadow_source *source = &job->host_sources[transmitter];
    trace_path path = {.entry = {.point = cell, .transmitter = transmitter}};
    RW_TRY(build_trace_path(job, transmitter, band, cell, choice, paths, &path));
    /* the terms of one path lie on no line: equation (20) has the distance, and trees are those of the straight line */
    rw_shadow_mechanism wooded = job->effects.all_terms ? RW_SHADOW_THROUGH : choice.mechanism;
    double foliage_db = find_foliage_db(job, transmitter, (uint8_t)wooded, receiver, &path);
    transform_to_world(job->prediction->scene, &path);
    double length_m =
        job->effects.all_terms ? rw_vec3_length(rw_vec3_sub(source->at, receiver)) : sum_path_length(&path);
    path.entry.free_space_db = rw_free_space_loss_db(length_m, source->wavelength_m) + foliage_db;
    path.entry.loss_db = choice.loss_db + source->offset_db;
    return rw_paths_add(paths, &path.entry, path.vertices);
}

/* The ways of one receiver: the strongest, or all that were kept. */
static rw_status add_cell(const rw_shadow_job *job, size_t transmitter, const trace_band *band, size_t cell,
                          rw_paths *paths)
{
    const uint32_t *strongest = band->strongest ? band->strongest + cell * RW_STRONGEST_PATHS_MAX : NULL;
    if (!strongest || strongest[0] == RW_STREET_NONE)
        return add_traced_path(job, transmitter, band, cell,
                               (path_choice){band->mechanism[cell], band->street_path[cell],
                                             (double)band->loss_db[cell] - job->host_sources[transmitter].offset_db},
                               paths);
    for (size_t i = 0; i < RW_STRONGEST_PATHS_MAX && strongest[i] != RW_STREET_NONE; i++) {
        rw_shadow_mechanism mechanism = strongest[i] == RW_SHADOW_PATH_ROOF      ? RW_SHADOW_ROOF
                                        : strongest[i] == RW_SHADOW_PATH_THROUGH ? RW_SHADOW_THROUGH
                                                                                 : RW_SHADOW_STREET;
        double loss_db = (double)band->strongest_db[cell * RW_STRONGEST_PATHS_MAX + i];
        RW_TRY(add_traced_path(job, transmitter, band, cell, (path_choice){mechanism, strongest[i], loss_db}, paths));
    }
    return RW_OK;
}

static rw_status add_paths(const rw_shadow_job *job, size_t transmitter, const trace_band *band, rw_paths *paths)
{
    const rw_receivers_view *view = &job->prediction->receivers.view;
    for (size_t cell = 0; cell < view->columns * view->rows; cell++)
        if (!view->indoor[cell] && !isinf(band->loss_db[cell]))
            RW_TRY(add_cell(job, transmitter, band, cell, paths));
    return RW_OK;
}

static rw_status allocate_trace_band(rw_context *context, size_t cells, size_t path_capacity, int several,
                                     trace_band *band)
{
    RW_TRY(rw_array_create(context, cells, 1, "mechanisms", &band->mechanism));
    RW_TRY(rw_array_create(context, cells, sizeof(uint32_t), "paths", &band->street_path));
    RW_TRY(rw_array_create(context, cells, sizeof(uint32_t), "wall counts", &band->walls));
    RW_TRY(rw_array_create(context, cells, sizeof(float), "path loss", &band->loss_db));
    if (several) {
        RW_TRY(rw_array_create(context, RW_STRONGEST_PATHS_MAX * cells, sizeof(uint32_t), "paths", &band->strongest));
        RW_TRY(rw_array_create(context, RW_STRONGEST_PATHS_MAX * cells, sizeof(float), "paths", &band->strongest_db));
    }
    return rw_array_create(context, path_capacity, sizeof(rw_street_path), "paths", &band->paths);
}

static void free_band(trace_band *band)
{
    free(band->mechanism);
    free(band->street_path);
    free(band->walls);
    free(band->loss_db);
    free(band->strongest);
    free(band->strongest_db);
    free(band->paths);
    *band = (trace_band){0};
}

static rw_status fetch_band(const rw_shadow_job *job, size_t in_batch, trace_band *band)
{
    rw_context *context = job->prediction->scene->context;
    const struct rw_shadow_path_loss_args *args = &job->args;
    size_t cells = args->receivers.columns * args->receivers.rows, first = in_batch * cells;
    RW_TRY(rw_device_download(context, job->backend, band->mechanism, args->mechanism + first, cells));
    RW_TRY(rw_device_download(context, job->backend, band->street_path, args->street_paths + first,
                              cells * sizeof(uint32_t)));
    RW_TRY(rw_device_download(context, job->backend, band->loss_db, args->path_loss_db + first, cells * sizeof(float)));
    if (args->strongest) {
        size_t value_count = cells * RW_STRONGEST_PATHS_MAX, from = first * RW_STRONGEST_PATHS_MAX;
        RW_TRY(rw_device_download(context, job->backend, band->strongest, args->strongest + from,
                                  value_count * sizeof *band->strongest));
        RW_TRY(rw_device_download(context, job->backend, band->strongest_db, args->strongest_db + from,
                                  value_count * sizeof *band->strongest_db));
    }
    RW_TRY(rw_los_job_read(&job->sight, in_batch, NULL, args->walls ? band->walls : NULL));
    if (!job->graph)
        return RW_OK;
    return rw_device_download(context, job->backend, band->paths, args->street.paths + in_batch * args->street.capacity,
                              args->street.capacity * sizeof *band->paths);
}

rw_status rw_shadow_job_trace(rw_shadow_job *job, size_t first, size_t count, rw_paths *paths)
{
    trace_band band = {0};
    size_t cells = job->args.receivers.columns * job->args.receivers.rows;
    RW_TRY(rw_shadow_job_run(job, first, count));
    rw_status status =
        allocate_trace_band(job->prediction->scene->context, cells, job->graph ? job->args.street.capacity : 1,
                            job->args.strongest != NULL, &band);
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        status = fetch_band(job, i, &band);
        if (status == RW_OK && paths->record)
            status = rw_shadow_record(job, first + i, i, band.paths, paths->record);
        else if (status == RW_OK)
            status = add_paths(job, first + i, &band, paths);
    }
    free_band(&band);
    return status;
}
