/* rw_write_rays: every ray that ends at a tile, one row each in an HDF5 file: field, delay, directions, vertices. */
#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "discretise/prepared.h"
#include "ext/hdf5.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "models/tiles/tile_path.k.h"
#include "models/tiles/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_INTERACTION 255
#define NO_ELEMENT UINT32_MAX

/* Rays of one transmitter while it is solved. */
typedef struct ray_list {
    rw_context *context;
    RW_ARRAY(rw_tile_ray) rays;
} ray_list;

/* Columns of the file, one row a ray; steps: the most interactions of any ray that the limits allow. */
typedef struct ray_columns {
    size_t count, capacity, steps;
    uint32_t *transmitters, *tiles;
    uint8_t *counts;
    float (*gains)[2], (*fields)[3][2];
    double *delays_s;
    float (*departures)[2], (*arrivals)[2];
    double *vertices_m;
    uint8_t *interactions;
    uint32_t *elements;
} ray_columns;

static rw_status collect_tile_rays(void *user, const rw_tile_ray *rays, size_t count)
{
    ray_list *list = user;
    RW_TRY(RW_ARRAY_RESERVE(list->context, list->rays, count, "rays"));
    for (size_t i = 0; i < count; i++)
        if (!rays[i].dead && !rays[i].astray && !rays[i].loose && !rays[i].gathered && rays[i].end_kind == RW_END_TILE)
            list->rays.items[list->rays.count++] = rays[i];
    return RW_OK;
}

/* By tile, from few interactions to many: the file is the same whatever the number of threads. */
static int compare_written_rays(const void *left, const void *right)
{
    const rw_tile_ray *a = left, *b = right;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return memcmp(a->steps, b->steps, sizeof a->steps);
}

static void free_ray_columns(ray_columns *columns)
{
    void *arrays[] = {columns->transmitters, columns->tiles,        columns->counts,     columns->gains,
                      columns->fields,       columns->delays_s,     columns->departures, columns->arrivals,
                      columns->vertices_m,   columns->interactions, columns->elements};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

static rw_status reserve_ray_columns(rw_context *context, ray_columns *columns, size_t more)
{
    size_t steps = columns->steps, count = columns->count + more;
    struct {
        void *column;
        size_t bytes;
    } all[] = {{&columns->transmitters, sizeof *columns->transmitters},
               {&columns->tiles, sizeof *columns->tiles},
               {&columns->counts, sizeof *columns->counts},
               {&columns->gains, sizeof *columns->gains},
               {&columns->fields, sizeof *columns->fields},
               {&columns->delays_s, sizeof *columns->delays_s},
               {&columns->departures, sizeof *columns->departures},
               {&columns->arrivals, sizeof *columns->arrivals},
               {&columns->vertices_m, 3 * steps * sizeof *columns->vertices_m},
               {&columns->interactions, steps * sizeof *columns->interactions},
               {&columns->elements, steps * sizeof *columns->elements}};
    size_t capacity = columns->capacity;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        capacity = columns->capacity;
        RW_TRY(rw_array_reserve(context, all[i].column, &capacity, count, all[i].bytes, "rays"));
    }
    columns->capacity = capacity;
    return RW_OK;
}

static void store_complex_pair(rw_complex value, float out[2])
{
    out[0] = (float)value.re;
    out[1] = (float)value.im;
}

/* Theta from zenith and phi from east, counter-clockwise. */
static void store_angles(rw_vec3 direction, float out[2])
{
    out[0] = (float)acos(fmin(1, fmax(-1, direction.z)));
    out[1] = (float)atan2(direction.y, direction.x);
}

/* Effective field strength for a power: sqrt(eta0 P / 4 pi) volts at one metre of an isotropic antenna. */
static void store_field(const rw_tile_scene *scene, const rw_wave *wave, double power_dbm, double medium_gain,
                        float field[3][2])
{
    double power_w = 1e-3 * pow(10, 0.1 * power_dbm);
    double volts = sqrt(RW_IMPEDANCE_OF_SPACE_OHM * power_w / (4 * RW_PI) * medium_gain /
                        (wave->radius_across_m * wave->radius_along_m));
    rw_vec3c at =
        rw_vec3c_scale(wave->amplitude, rw_complex_scale(rw_path_phasor(wave->length_m, scene->wavelength_m), volts));
    store_complex_pair(at.x, field[0]);
    store_complex_pair(at.y, field[1]);
    store_complex_pair(at.z, field[2]);
}

static uint8_t interaction_of(const rw_tile_scene *scene, const rw_tile_ray *ray, int step)
{
    if (step == 0 && ray->scattered)
        return RW_INTERACTION_SCATTERING;
    if (!RW_TILE_STEP_BENDS(ray->steps[step]))
        return RW_INTERACTION_REFLECTION;
    return (uint8_t)rw_tile_edge_interaction(&scene->tiles.edges[RW_TILE_STEP_INDEX(ray->steps[step])]);
}

static void store_ray_steps(const rw_tile_solver *solver, const rw_tile_ray *ray, const rw_vec3 *points, rw_vec2 origin,
                            ray_columns *to)
{
    const rw_tile_scene *scene = &solver->host;
    for (size_t i = 0; i < to->steps; i++) {
        size_t at = to->count * to->steps + i;
        int there = i < ray->count, scattered = i == 0 && ray->scattered;
        to->vertices_m[3 * at] = there ? points[i].x + origin.x : NAN;
        to->vertices_m[3 * at + 1] = there ? points[i].y + origin.y : NAN;
        to->vertices_m[3 * at + 2] = there ? points[i].z : NAN;
        to->interactions[at] = there ? interaction_of(scene, ray, (int)i) : NO_INTERACTION;
        to->elements[at] = !there      ? NO_ELEMENT
                           : scattered ? scene->scatterers[ray->steps[0]].tile
                                       : RW_TILE_STEP_INDEX(ray->steps[i]);
    }
}

/* One row; nothing where the path has no length. */
static void store_ray_row(const rw_tile_solver *solver, const rw_tile_ray *ray, rw_vec2 origin, ray_columns *to)
{
    const rw_tile_scene *scene = &solver->host;
    rw_vec3 end = rw_tile_ray_end(scene, ray), points[RW_TILE_DEPTH_MAX] = {{0}};
    const rw_transmitter *about = &solver->prediction->options->transmitters[solver->transmitter];
    rw_tile_arrival arrival = {0};
    rw_tile_legs legs;
    if (!rw_tile_arrive(scene, ray, end, &arrival) || !rw_tile_legs_of(scene, ray, end, &legs) ||
        !rw_tile_ray_points(scene, ray, end, points))
        return;
    /* trees, and air: on the straight line it is the same for all rays of a tile */
    double medium_gain = scene->medium.counts ? rw_tile_medium_gain(scene, ray, end) : 1;
    double straight_m = rw_vec3_length(rw_vec3_sub(end, scene->source));
    medium_gain *= pow(10, -0.1 * rw_air_db_per_m(solver->prediction, solver->transmitter) * straight_m);
    size_t row = to->count;
    to->transmitters[row] = (uint32_t)solver->transmitter;
    to->tiles[row] = ray->end;
    to->counts[row] = ray->count;
    to->delays_s[row] = arrival.ray.delay_s;
    store_complex_pair(rw_complex_scale(arrival.ray.gain, sqrt(medium_gain)), to->gains[row]);
    store_angles(rw_vec3_scale(arrival.ray.direction, -1), to->arrivals[row]);
    for (int i = 0; i < 6; i++)
        (&to->fields[row][0][0])[i] = NAN;
    to->departures[row][0] = to->departures[row][1] = NAN;
    if (!ray->scattered) {
        rw_wave wave = rw_wave_start(&scene->transmitter, legs.directions[0]);
        store_angles(legs.directions[0], to->departures[row]);
        if (rw_tile_wave_along(scene, ray, &legs, &wave))
            store_field(scene, &wave, about->power_dbm, medium_gain, to->fields[row]);
    }
    store_ray_steps(solver, ray, points, origin, to);
    to->count++;
}

static rw_status list_transmitter_rays(const rw_prediction *prediction, size_t transmitter, rw_tile_solver *solver,
                                       const rw_device_medium *medium, ray_columns *columns)
{
    ray_list list = {.context = prediction->scene->context};
    rw_vec2 origin = rw_vec2_add(prediction->scene->origin, prediction->scene->prepared->grid.centre);
    RW_TRY(rw_tile_solver_locate_of(solver, prediction, transmitter));
    solver->scene.medium = rw_medium_of(medium, transmitter, 0);
    solver->host.medium = rw_medium_of(medium, transmitter, 1);
    solver->on_rays = collect_tile_rays;
    solver->user = &list;
    rw_status status = rw_tile_solver_run(solver);
    solver->on_rays = NULL;
    if (status == RW_OK)
        status = reserve_ray_columns(list.context, columns, list.rays.count);
    if (status == RW_OK) {
        rw_sort(list.rays.items, list.rays.count, sizeof *list.rays.items, compare_written_rays);
        for (size_t i = 0; i < list.rays.count; i++)
            store_ray_row(solver, &list.rays.items[i], origin, columns);
    }
    free(list.rays.items);
    return status;
}

/* What rows name by number: tiles and transmitters. */
typedef struct ray_ends {
    double *centres_m, *normals, *sources_m, *powers_dbm, *freqs_hz;
    size_t tiles, transmitters;
} ray_ends;

static void free_ends(ray_ends *ends)
{
    free(ends->centres_m);
    free(ends->normals);
    free(ends->sources_m);
    free(ends->powers_dbm);
    free(ends->freqs_hz);
}

static rw_status list_ends(const rw_prediction *prediction, const rw_tile_city *city, ray_ends *ends)
{
    rw_context *context = prediction->scene->context;
    rw_vec2 at = prediction->scene->origin, origin = rw_vec2_add(at, prediction->scene->prepared->grid.centre);
    ends->tiles = city->tiles.view.tile_count;
    ends->transmitters = prediction->options->transmitter_count;
    RW_TRY(rw_array_create(context, 3 * ends->tiles, sizeof(double), "tiles", &ends->centres_m));
    RW_TRY(rw_array_create(context, 3 * ends->tiles, sizeof(double), "tiles", &ends->normals));
    RW_TRY(rw_array_create(context, 3 * ends->transmitters, sizeof(double), "transmitters", &ends->sources_m));
    RW_TRY(rw_array_create(context, ends->transmitters, sizeof(double), "transmitters", &ends->powers_dbm));
    RW_TRY(rw_array_create(context, ends->transmitters, sizeof(double), "transmitters", &ends->freqs_hz));
    for (size_t i = 0; i < ends->tiles; i++) {
        const rw_tile *tile = &city->tiles.view.tiles[i];
        const double centre_m[3] = {tile->centre.x + origin.x, tile->centre.y + origin.y, tile->centre.z};
        const double normal[3] = {tile->normal.x, tile->normal.y, tile->normal.z};
        memcpy(ends->centres_m + 3 * i, centre_m, sizeof centre_m);
        memcpy(ends->normals + 3 * i, normal, sizeof normal);
    }
    for (size_t i = 0; i < ends->transmitters; i++) {
        rw_vec3 source = prediction->sources[i];
        const double source_m[3] = {source.x + at.x, source.y + at.y, source.z};
        memcpy(ends->sources_m + 3 * i, source_m, sizeof source_m);
        ends->powers_dbm[i] = prediction->options->transmitters[i].power_dbm;
        ends->freqs_hz[i] = rw_prediction_freq_hz(prediction, i);
    }
    return RW_OK;
}

static rw_status write_ray_datasets(const rw_prediction *prediction, const ray_columns *rows, const ray_ends *ends,
                                    const char *path)
{
    size_t count = rows->count, steps = rows->steps;
    const rw_hdf5_dataset sets[] = {
        {"transmitter", NULL, "from 0", RW_HDF5_UINT32, 1, {count}, rows->transmitters, 1},
        {"tile", NULL, "where the ray ends, from 0", RW_HDF5_UINT32, 1, {count}, rows->tiles, 1},
        {"count", NULL, "interactions of the ray", RW_HDF5_UINT8, 1, {count}, rows->counts, 1},
        {"gain",
         NULL,
         "sqrt(received over transmitted power), antennas included",
         RW_HDF5_COMPLEX64,
         1,
         {count},
         rows->gains,
         1},
        {"field", "V/m", "effective value: east, north, up", RW_HDF5_COMPLEX64, 2, {count, 3}, rows->fields, 1},
        {"delay", "s", NULL, RW_HDF5_FLOAT64, 1, {count}, rows->delays_s, 1},
        {"departure", "rad", "theta from zenith, phi from east", RW_HDF5_FLOAT32, 2, {count, 2}, rows->departures, 1},
        {"arrival",
         "rad",
         "the same, towards where the wave comes from",
         RW_HDF5_FLOAT32,
         2,
         {count, 2},
         rows->arrivals,
         1},
        {"vertices",
         "m",
         "places of the interactions; NaN beyond the last",
         RW_HDF5_FLOAT64,
         3,
         {count, steps, 3},
         rows->vertices_m,
         1},
        {"interactions",
         NULL,
         "1 corner, 2 roof edge or ridge, 4 reflection, 5 scattering; 255 none",
         RW_HDF5_UINT8,
         2,
         {count, steps},
         rows->interactions,
         1},
        {"element",
         NULL,
         "tile, or edge where it is a diffraction",
         RW_HDF5_UINT32,
         2,
         {count, steps},
         rows->elements,
         1},
        {"tile_centre", "m", NULL, RW_HDF5_FLOAT64, 2, {ends->tiles, 3}, ends->centres_m, 1},
        {"tile_normal", NULL, "outward", RW_HDF5_FLOAT64, 2, {ends->tiles, 3}, ends->normals, 1},
        {"source", "m", "of each transmitter", RW_HDF5_FLOAT64, 2, {ends->transmitters, 3}, ends->sources_m, 0},
        {"power_dbm", "dBm", "of each transmitter", RW_HDF5_FLOAT64, 1, {ends->transmitters}, ends->powers_dbm, 0},
        {"frequency", "Hz", "of each transmitter", RW_HDF5_FLOAT64, 1, {ends->transmitters}, ends->freqs_hz, 0}};
    const rw_hdf5_attribute attributes[] = {{"crs", rw_scene_crs(prediction->scene), 0}, {"version", rw_version(), 0}};
    return rw_hdf5_write(prediction->scene->context, path, sets, sizeof sets / sizeof *sets, attributes, 2);
}

static rw_status list_all(const rw_prediction *prediction, const rw_tile_city *city, const rw_tile_limits *limits,
                          const rw_device_medium *medium, ray_columns *columns)
{
    rw_tile_solver solver;
    columns->steps = (size_t)limits->depth;
    RW_TRY(rw_tile_solver_open(city, limits, NULL, &solver));
    rw_status status = RW_OK;
    for (size_t i = 0; i < prediction->options->transmitter_count && status == RW_OK; i++) {
        status = list_transmitter_rays(prediction, i, &solver, medium, columns);
        if (status == RW_OK)
            status = rw_prediction_progress(prediction, (double)(i + 1));
    }
    rw_tile_solver_destroy(&solver);
    return status;
}

static rw_status write_prediction_rays(const rw_prediction *prediction, const char *path)
{
    const rw_tile_city *city;
    rw_tile_limits limits;
    rw_tiling tiling;
    rw_device_medium medium = {0};
    ray_columns columns = {0};
    ray_ends ends = {0};
    RW_TRY(rw_tile_resolve(prediction, RW_USE_TILES, &limits, &tiling));
    limits.roofs = RW_ROOFS_NONE; /* the way over the roofs is none of the model's rays */
    limits.mechanisms = 0;
    RW_TRY(rw_tile_city_acquire(prediction->scene, tiling, prediction->options->database, &city));
    rw_status status = rw_medium_upload(prediction, RW_USE_TILES, &medium);
    if (status == RW_OK)
        status = list_all(prediction, city, &limits, &medium, &columns);
    if (status == RW_OK)
        status = list_ends(prediction, city, &ends);
    if (status == RW_OK)
        status = write_ray_datasets(prediction, &columns, &ends, path);
    free_ray_columns(&columns);
    free_ends(&ends);
    rw_medium_release(&medium);
    rw_tile_city_release(city);
    return status;
}

rw_status rw_write_rays(const rw_scene *scene, const rw_predict_options *options, const char *path)
{
    rw_prediction *prediction;
    rw_account *account = NULL;
    RW_TRY(rw_prediction_create(scene, options, &(rw_target){.use = RW_USE_TILES}, &prediction));
    rw_status status = rw_file_check_writable(scene->context, path);
    if (status == RW_OK)
        status = rw_prediction_open_account(prediction, &account);
    rw_account *before = rw_account_enter(account);
    if (status == RW_OK)
        status = rw_tiles_locate_on_scene(prediction);
    if (status == RW_OK)
        status = write_prediction_rays(prediction, path);
    rw_account_enter(before);
    rw_account_close(account);
    rw_prediction_destroy(prediction);
    return status;
}
