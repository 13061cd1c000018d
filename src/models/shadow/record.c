#include "models/shadow/shadow.h"

#include "base/memory.h"
#include "field/surfaces/surface.h"
#include "field/surfaces/surfaces.h"
#include "mechanisms/atmosphere/atmosphere.h"

#include <math.h>
#include <stdlib.h>

#define ROOF_STEP_M 0.25 /* the loss over roofs is computed in float */

/* What the kernels have found of one transmitter, on the host. */
typedef struct answers {
    uint8_t *los;
    uint32_t *strongest, *walls;
    float *strongest_db, *roof_db, *open_db, *ground_db, *smooth_db, *foliage_db, *roof_foliage_db, *walls_db;
} answers;

/* One receiver, and its transmitter at a place. */
typedef struct link {
    const rw_shadow_job *job;
    const rw_shadow_source *source;
    const rw_street_path *paths;
    size_t transmitter;
    rw_prior host_prior; /* the source's, on the host */
    rw_vec3 receiver;
    double weight;       /* of the way's power */
    int fades;           /* 1: that weight depends on the place of the transmitter (faded_weight) */
    int sees;            /* in sight */
    double extra_db;     /* constant losses of the way */
    uint32_t path_index; /* round corners: its number in paths */
    uint32_t count;      /* walls on the line */
    rw_vec3 normals[RW_GAIN_NODES_MAX];
    uint32_t walls[RW_GAIN_NODES_MAX]; /* in the record */
} link;

rw_status rw_shadow_check_record(const rw_shadow_job *job)
{
    const rw_shadow_effects *effects = &job->effects;
    const char *wrong = NULL;
    if (effects->streets == RW_SHADOW_STREETS_POLYNOMIAL || effects->in_plane)
        wrong = "streets_polynomial";
    else if (effects->roofs == RW_SHADOW_ROOFS_ANGLES || effects->roofs == RW_SHADOW_ROOFS_COUNTED)
        wrong = "roofs by polynomial or count";
    else if (effects->walls && !effects->slabs)
        wrong = "constant losses of walls";
    else if (effects->best_count != 0 || effects->all_terms)
        wrong = "best and sum";
    if (!wrong)
        return RW_OK;
    return rw_fail(job->prediction->scene->context, RW_BAD_CALL,
                   "model shadow has no gradients of %s; its usual ways (streets, roofs, walls by slab) have", wrong);
}

static rw_status download_answer(const rw_shadow_job *job, const void *device, size_t in_batch, size_t size,
                                 void *host_out)
{
    size_t cells = job->args.receivers.columns * job->args.receivers.rows;
    rw_context *context = job->prediction->scene->context;
    if (!device)
        return RW_OK;
    RW_TRY(rw_array_create(context, cells, size, "losses", host_out));
    return rw_device_download(context, job->backend, *(void **)host_out, (const char *)device + in_batch * cells * size,
                              cells * size);
}

static rw_status download_answers(const rw_shadow_job *job, size_t in_batch, answers *found)
{
    const struct rw_shadow_path_loss_args *args = &job->args;
    size_t cells = args->receivers.columns * args->receivers.rows;
    rw_context *context = job->prediction->scene->context;
    RW_TRY(
        download_answer(job, args->strongest, in_batch, RW_STRONGEST_PATHS_MAX * sizeof(uint32_t), &found->strongest));
    RW_TRY(download_answer(job, args->strongest_db, in_batch, RW_STRONGEST_PATHS_MAX * sizeof(float),
                           &found->strongest_db));
    RW_TRY(download_answer(job, args->roof_db, in_batch, sizeof(float), &found->roof_db));
    RW_TRY(download_answer(job, args->open_db, in_batch, sizeof(float), &found->open_db));
    RW_TRY(download_answer(job, args->ground_db, in_batch, sizeof(float), &found->ground_db));
    RW_TRY(download_answer(job, args->smooth_db, in_batch, sizeof(float), &found->smooth_db));
    RW_TRY(download_answer(job, args->foliage_db, in_batch, sizeof(float), &found->foliage_db));
    RW_TRY(download_answer(job, args->roof_foliage_db, in_batch, sizeof(float), &found->roof_foliage_db));
    RW_TRY(download_answer(job, args->walls_db, in_batch, sizeof(float), &found->walls_db));
    RW_TRY(rw_array_create(context, cells, 1, "line of sight", &found->los));
    RW_TRY(rw_array_create(context, cells, sizeof *found->walls, "wall counts", &found->walls));
    RW_TRY(rw_los_job_read(&job->sight, in_batch, args->los ? found->los : NULL, args->walls ? found->walls : NULL));
    for (size_t i = 0; i < cells && !args->los; i++)
        found->los[i] = found->walls[i] == 0;
    return RW_OK;
}

static void free_answers(answers *found)
{
    void *all[] = {found->los,        found->strongest,       found->walls,     found->strongest_db,
                   found->roof_db,    found->open_db,         found->ground_db, found->smooth_db,
                   found->foliage_db, found->roof_foliage_db, found->walls_db};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static double read_cell_value(const float *values, size_t cell)
{
    return values ? (double)values[cell] : 0;
}

/* What every way loses from a place: free space over the straight line, and air. */
static double straight_db(const link *of, rw_vec3 source)
{
    double length_m = rw_vec3_length(rw_vec3_sub(of->receiver, source));
    return rw_free_space_loss_db(length_m, of->source->wavelength_m) +
           rw_air_db_per_m(of->job->prediction, of->transmitter) * length_m;
}

/* Over the roofs from a place of the transmitter. */
static rw_over_roofs_loss over_roofs(const link *of, rw_vec3 source)
{
    rw_roof_source from = {source, (float)of->source->wavelength_m, of->job->over_roofs.facade_db};
    rw_wall_grid_view grid = rw_shadow_host_grid(of->job);
    rw_main_edges edges;
    return rw_over_roofs_solve(&grid, &from, of->receiver, of->sees, &edges);
}

/* Weight of the other paths: as far as the wave over the roofs has faded (rw_compose_sum). */
static double faded_weight(double buildings_db)
{
    return 1 - fmin(1, rw_compose_power(buildings_db));
}

static double weighed_db(const link *of, rw_vec3 source, double loss_db)
{
    double weight = of->weight;
    if (of->fades) {
        rw_over_roofs_loss roofs = over_roofs(of, source);
        weight = faded_weight((double)roofs.excess_db - (double)roofs.ground_db);
    }
    return loss_db + of->extra_db - 10 * log10(weight);
}

/* An rw_gain_loss_fn: over the roofs, or straight on, beyond the terrain's part. */
static double evaluate_roof_loss(void *user, rw_vec3 source)
{
    const link *of = user;
    return weighed_db(of, source, straight_db(of, source) + (double)over_roofs(of, source).excess_db);
}

static double plain_loss_db(void *user, rw_vec3 source)
{
    const link *of = user;
    return weighed_db(of, source, straight_db(of, source));
}

/* An rw_gain_loss_fn: round corners, by Berg's recursion in double. */
static double street_loss_db(void *user, rw_vec3 source)
{
    const link *of = user;
    const rw_corner *corners = of->job->prediction->scene->prepared->corners.items;
    uint32_t chain[RW_STREET_ORDER_MAX];
    int count = 0;
    for (uint32_t i = of->path_index; i != RW_STREET_NONE; i = of->paths[i].before)
        chain[count++] = i;
    rw_vec2 from = rw_vec2_of(source.x, source.y), ray = {0, 0};
    double distance_m = 0, factor = 1;
    for (int i = count - 1; i >= -1; i--) {
        const rw_corner *corner = i >= 0 ? &corners[of->paths[chain[i]].corner] : NULL;
        rw_vec2 to = corner ? rw_vec2_of(corner->x, corner->y) : rw_vec2_of(of->receiver.x, of->receiver.y);
        rw_vec2 leg = rw_vec2_sub(to, from);
        double length_m = sqrt(rw_vec2_dot(leg, leg));
        if (i < count - 1) {
            double angle = fabs(atan2(rw_vec2_cross(ray, leg), rw_vec2_dot(ray, leg))) * 2 / RW_PI;
            factor += distance_m * (double)of->source->q90 * angle * sqrt(angle);
        }
        distance_m += factor * length_m;
        ray = leg;
        from = to;
    }
    double rise_m = of->receiver.z - source.z;
    double constant_db = rw_free_space_loss_db(1e6, of->source->wavelength_m) - 120;
    double air_db =
        rw_air_db_per_m(of->job->prediction, of->transmitter) * rw_vec3_length(rw_vec3_sub(of->receiver, source));
    return weighed_db(of, source, 10 * log10(distance_m * distance_m + rise_m * rise_m) + constant_db + air_db);
}

/* An rw_gain_freeze_fn: through the walls on the line. */
static int freeze_through(void *user, rw_vec3 moved, rw_gain_frozen *frozen)
{
    const link *of = user;
    rw_vec3 source = rw_vec3_add(of->source->at, moved), ray = rw_vec3_sub(source, of->receiver);
    rw_vec3 direction = rw_vec3_scale(ray, 1 / rw_vec3_length(ray)), departs = rw_vec3_scale(direction, -1);
    rw_gain_freeze_head(frozen, departs, departs, NULL,
                        pow(10, -0.05 * weighed_db(of, source, straight_db(of, source))), 0);
    for (uint32_t i = 0; i < of->count; i++)
        rw_gain_freeze_mixed(frozen, of->walls[i],
                             fmax(fabs(rw_vec3_dot(direction, of->normals[i])), 1.0 / RW_WALL_LOSS_SAMPLES),
                             rw_te_fraction(direction, of->normals[i]));
    return 1;
}

/* The walls on the line, with their normals. Returns whether there is room for all. */
static int find_line_walls(link *of, const uint32_t *recorded)
{
    const rw_shadow_job *job = of->job;
    rw_wall_grid_view grid = rw_shadow_host_grid(job);
    rw_crossed_wall crossed[RW_GAIN_NODES_MAX];
    rw_sight sight = rw_sight_of(&grid, of->receiver, of->source->at);
    rw_slab_line line = rw_slab_line_start(&sight, &job->slabs.host, of->transmitter, crossed, RW_GAIN_NODES_MAX);
    rw_slab_line_march(&grid, &sight, &job->slabs.host, &line);
    of->count = line.count;
    for (uint32_t i = 0; i < line.count && line.count <= RW_GAIN_NODES_MAX; i++) {
        of->normals[i] = crossed[i].normal;
        of->walls[i] = recorded[crossed[i].surface];
    }
    return line.count <= RW_GAIN_NODES_MAX;
}

/* What a way loses beside what its function says, so that the sum is the kernel's. */
static rw_status record_mechanism(link *of, uint32_t path_index, double mechanism_db, const answers *found, size_t cell,
                                  const uint32_t *recorded, rw_gain_record *record)
{
    rw_vec3 source = of->source->at;
    double step_m = of->fades ? ROOF_STEP_M : 0;
    of->extra_db = 0;
    if (path_index == RW_SHADOW_PATH_ROOF) {
        of->extra_db =
            of->sees ? read_cell_value(found->foliage_db, cell) : read_cell_value(found->roof_foliage_db, cell);
        return rw_gain_record_loss(record, of->transmitter, cell, source, of->receiver, ROOF_STEP_M, evaluate_roof_loss,
                                   of);
    }
    if (path_index == RW_SHADOW_PATH_THROUGH) {
        of->extra_db = read_cell_value(found->open_db, cell) + read_cell_value(found->foliage_db, cell);
        if (find_line_walls(of, recorded)) {
            record->step_m = step_m;
            rw_status status = rw_gain_record_path(record, of->transmitter, cell, freeze_through, of);
            record->step_m = 0;
            return status;
        }
        of->extra_db += read_cell_value(found->walls_db, cell);
        return rw_gain_record_loss(record, of->transmitter, cell, source, of->receiver, step_m, plain_loss_db, of);
    }
    double air_db = rw_air_db_per_m(of->job->prediction, of->transmitter) *
                    rw_vec3_length(rw_vec3_sub(of->receiver, source)),
           weight = of->weight;
    int fades = of->fades;
    of->path_index = path_index;
    of->weight = 1;
    of->fades = 0;
    of->extra_db = mechanism_db + air_db - street_loss_db(of, source); /* trees, and what fades behind a hill */
    if (fabs(of->extra_db) < 1e-3)                                     /* nothing but rounding */
        of->extra_db = 0;
    of->weight = weight;
    of->fades = fades;
    return rw_gain_record_loss(record, of->transmitter, cell, source, of->receiver, step_m, street_loss_db, of);
}

/* From here on the wave over the roofs has faded altogether. */
#define GONE_DB 40.0

/* Whether the ways beside that over the roofs count the less the stronger that is. */
static int others_fade(const rw_shadow_job *job, double buildings_db, uint32_t count)
{
    return job->effects.roofs == RW_SHADOW_ROOFS_SCREENS && count > 1 && buildings_db < GONE_DB;
}

/* An rw_gain_reference_fn: the input of the rule from a position of the transmitter. */
static void find_reference(void *user, rw_vec3 source, rw_compose_input *in)
{
    const link *of = user;
    rw_prior prior = of->host_prior;
    prior.base_height_m += source.z - of->source->at.z;
    *in = rw_prior_input(&prior, &of->job->prediction->scene->prepared->grid.view, source, of->receiver,
                         straight_db(of, source)); /* air, as the engine adds it, is in free space */
}

/* The path with most of the power, those other than over the roofs with that weight. */
static uint32_t find_dominant(const answers *found, size_t cell, uint32_t count, double weight)
{
    const uint32_t *strongest = found->strongest + cell * RW_STRONGEST_PATHS_MAX;
    const float *strongest_db = found->strongest_db + cell * RW_STRONGEST_PATHS_MAX;
    double best_db = INFINITY;
    uint32_t best = RW_STREET_NONE;
    for (uint32_t i = 0; i < count; i++) {
        double faded_db = strongest[i] == RW_SHADOW_PATH_ROOF ? 0 : -10 * log10(weight);
        if ((double)strongest_db[i] + faded_db < best_db) {
            best_db = (double)strongest_db[i] + faded_db;
            best = strongest[i];
        }
    }
    return best;
}

static rw_status record_cell(link *of, const answers *found, size_t cell, const uint32_t *recorded,
                             rw_gain_record *record)
{
    const uint32_t *strongest = found->strongest + cell * RW_STRONGEST_PATHS_MAX;
    int sees = found->los[cell];
    double ground_db = read_cell_value(found->ground_db, cell), foliage_db = read_cell_value(found->foliage_db, cell);
    double buildings_db = found->roof_db ? read_cell_value(found->roof_db, cell) - ground_db : 0,
           best_foliage_db = foliage_db;
    uint32_t count = 0;
    while (count < RW_STRONGEST_PATHS_MAX && strongest[count] != RW_STREET_NONE)
        count++;
    if (count == 0 && !sees)
        return RW_OK;
    int fade = others_fade(of->job, buildings_db, count);
    uint32_t best = find_dominant(found, cell, count, fade ? faded_weight(buildings_db) : 1);
    if (count > 0 && !sees)
        best_foliage_db = best == RW_SHADOW_PATH_THROUGH ? foliage_db
                          : best == RW_SHADOW_PATH_ROOF  ? read_cell_value(found->roof_foliage_db, cell)
                                                         : 0;
    of->sees = sees;
    of->weight = 1;
    of->fades = 0;
    if (count == 0 && found->roof_db)
        RW_TRY(record_mechanism(of, RW_SHADOW_PATH_ROOF, 0, found, cell, recorded, record));
    else if (count == 0) {
        of->extra_db = foliage_db;
        RW_TRY(rw_gain_record_loss(record, of->transmitter, cell, of->source->at, of->receiver, 0, plain_loss_db, of));
    }
    for (uint32_t i = 0; i < count; i++) {
        of->fades = fade && strongest[i] != RW_SHADOW_PATH_ROOF;
        of->weight = of->fades ? faded_weight(buildings_db) : 1;
        if (of->weight > 0)
            RW_TRY(record_mechanism(of, strongest[i], (double)found->strongest_db[cell * RW_STRONGEST_PATHS_MAX + i],
                                    found, cell, recorded, record));
    }
    double smooth_db = read_cell_value(found->smooth_db, cell);
    rw_gain_reference reference = {of->host_prior.rule, best_foliage_db + ground_db - smooth_db,
                                   smooth_db,           of->source->offset_db,
                                   find_reference,      of};
    if (reference.rule == RW_COMPOSE_SUM && of->source->offset_db == 0)
        return RW_OK;
    return rw_gain_record_reference(record, of->transmitter, cell, of->source->at, of->receiver, &reference);
}

/* Constructions as the tables of wall losses have them. */
static rw_status record_walls(const rw_shadow_job *job, rw_gain_record *record, uint32_t **recorded)
{
    const rw_scene *scene = job->prediction->scene;
    RW_TRY(rw_array_create(scene->context, scene->surfaces.count + 1, sizeof **recorded, "constructions", recorded));
    for (size_t i = 0; i < scene->surfaces.count; i++) {
        rw_construction wall = rw_wall_losses_construction(scene, scene->surfaces.items[i], record->freq_hz);
        RW_TRY(rw_gain_record_wall(record, scene->surfaces.items[i], &wall, 1, &(*recorded)[i]));
    }
    return RW_OK;
}

static rw_status record_cells(const rw_shadow_job *job, size_t transmitter, const rw_street_path *paths,
                              const answers *found, const uint32_t *recorded, rw_gain_record *record)
{
    const rw_receivers_view *view = &job->prediction->receivers.view;
    link of = {.job = job, .source = &job->host_sources[transmitter], .paths = paths, .transmitter = transmitter};
    RW_TRY(rw_gain_record_antenna(record, transmitter, job->prediction->antennas[transmitter]));
    RW_TRY(rw_prior_create(job->prediction, job->effects.prior, transmitter, RW_BACKEND_CPU, &of.host_prior));
    of.host_prior.weight = of.source->prior.weight;
    for (size_t i = 0; i < view->outdoor_count; i++) {
        of.receiver = rw_receiver_point(view, view->outdoor[i]);
        RW_TRY(record_cell(&of, found, view->outdoor[i], recorded, record));
    }
    return RW_OK;
}

rw_status rw_shadow_record(const rw_shadow_job *job, size_t transmitter, size_t in_batch, const rw_street_path *paths,
                           rw_gain_record *record)
{
    answers found = {0};
    uint32_t *recorded = NULL;
    rw_status status = download_answers(job, in_batch, &found);
    if (status == RW_OK)
        status = record_walls(job, record, &recorded);
    if (status == RW_OK)
        status = record_cells(job, transmitter, paths, &found, recorded, record);
    free(recorded);
    free_answers(&found);
    return status;
}
