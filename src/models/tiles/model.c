/* The tiles model: maps from the nearest tile of each cell, or exactly. */
#include "base/memory.h"
#include "base/parallel.h"
#include "discretise/prepared.h"
#include "models/rays/rays.h"
#include "models/tiles/database/database.h"
#include "models/tiles/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most bytes of the lists of tiles that exact cells see. */
#define LISTS_BYTES 1.6e10

/* Ground tiles, or all, by the squares they are in, to find the nearest. */
typedef struct tile_index {
    const rw_tiles_view *tiles;
    int any; /* 1: tiles of all kinds, by the distance in space; 0: of the ground, by that on the map */
    double x0, y0, side_m;
    long columns, rows;
    uint32_t *firsts, *numbers;
} tile_index;

static int tile_is_indexed(const tile_index *index, uint32_t tile)
{
    const rw_tiles_view *tiles = index->tiles;
    uint32_t kind = tiles->surfaces[tiles->tiles[tile].surface].kind;
    return index->any || kind == RW_TILE_GROUND || (kind == RW_TILE_MESH && tiles->tiles[tile].normal.z > 0.7);
}

static long square_of(const tile_index *index, rw_vec3 at, long *column, long *row)
{
    *column = (long)fmin(fmax(floor((at.x - index->x0) / index->side_m), 0), (double)index->columns - 1);
    *row = (long)fmin(fmax(floor((at.y - index->y0) / index->side_m), 0), (double)index->rows - 1);
    return *row * index->columns + *column;
}

static rw_status index_tiles(rw_context *context, const rw_tiles_view *tiles, double area_m2, int any,
                             tile_index *index)
{
    double high_x = -INFINITY, high_y = -INFINITY;
    long column, row;
    *index = (tile_index){.tiles = tiles, .any = any, .x0 = INFINITY, .y0 = INFINITY, .side_m = 2 * sqrt(area_m2)};
    for (uint32_t i = 0; i < tiles->tile_count; i++) {
        index->x0 = fmin(index->x0, tiles->tiles[i].centre.x);
        index->y0 = fmin(index->y0, tiles->tiles[i].centre.y);
        high_x = fmax(high_x, tiles->tiles[i].centre.x);
        high_y = fmax(high_y, tiles->tiles[i].centre.y);
    }
    index->columns = (long)((high_x - index->x0) / index->side_m) + 1;
    index->rows = (long)((high_y - index->y0) / index->side_m) + 1;
    size_t squares = (size_t)(index->columns * index->rows);
    RW_TRY(rw_array_create(context, squares + 2, sizeof *index->firsts, "ground tiles", &index->firsts));
    RW_TRY(rw_array_create(context, tiles->tile_count, sizeof *index->numbers, "ground tiles", &index->numbers));
    for (uint32_t i = 0; i < tiles->tile_count; i++)
        if (tile_is_indexed(index, i))
            index->firsts[square_of(index, tiles->tiles[i].centre, &column, &row) + 2]++;
    for (size_t i = 2; i < squares + 2; i++)
        index->firsts[i] += index->firsts[i - 1];
    for (uint32_t i = 0; i < tiles->tile_count; i++)
        if (tile_is_indexed(index, i))
            index->numbers[index->firsts[square_of(index, tiles->tiles[i].centre, &column, &row) + 1]++] = i;
    return RW_OK;
}

static void release_index(tile_index *index)
{
    free(index->firsts);
    free(index->numbers);
}

/* Squares in rings round the point, until what is farther out cannot be nearer. */
static uint32_t find_nearest_tile(const tile_index *index, rw_vec3 at)
{
    long column, row, max_ring = index->columns > index->rows ? index->columns : index->rows;
    uint32_t nearest = RW_NO_TILE;
    double nearest_m = INFINITY;
    square_of(index, at, &column, &row);
    for (long ring = 0; ring <= max_ring && (double)(ring - 1) * index->side_m < nearest_m; ring++)
        for (long r = row - ring; r <= row + ring; r++)
            for (long c = column - ring; c <= column + ring; c++) {
                int on_ring = labs(r - row) == ring || labs(c - column) == ring;
                if (!on_ring || r < 0 || c < 0 || r >= index->rows || c >= index->columns)
                    continue;
                for (uint32_t k = index->firsts[r * index->columns + c]; k < index->firsts[r * index->columns + c + 1];
                     k++) {
                    rw_vec3 centre = index->tiles->tiles[index->numbers[k]].centre;
                    double distance = hypot(centre.x - at.x, centre.y - at.y);
                    if (index->any && !rw_tile_faces(&index->tiles->tiles[index->numbers[k]], at))
                        continue; /* the other side of a wall */
                    if (index->any)
                        distance = hypot(distance, centre.z - at.z);
                    if (distance < nearest_m)
                        nearest = index->numbers[k];
                    nearest_m = fmin(nearest_m, distance);
                }
            }
    return nearest;
}

/* The open model. */
typedef struct tiles_state {
    const rw_prediction *prediction;
    const rw_tile_city *city;
    rw_tile_limits limits;
    rw_tiling tiling;
    rw_ray_sum_kind kind;
    int has_points; /* 1: receivers beside the tiles, cells or points; 0: cells have the value of the nearest tile */
    rw_tile_points points;
    uint32_t *nearest; /* of each outdoor cell: its tile */
    rw_tile_solver solver;
    rw_device_medium medium;
    rw_ray_sums *sums; /* on the host, of tiles or of points */
    float *power_dbm;
    rw_stored_tiles *stored; /* of a call; NULL: rays are not kept */
    rw_tile_values *values;  /* of a call; NULL: not asked for */
    rw_stored_tiles stored_of_call;
    rw_tile_values values_of_call;
} tiles_state;

static void store_tile_sums(const tiles_state *state, const rw_ray_layers *layers, size_t cell, const rw_ray_sums *sums,
                            rw_vec3 at)
{
    const rw_tile_scene *scene = &state->solver.host;
    double straight_m = rw_vec3_length(rw_vec3_sub(at, scene->source));
    rw_ray_layers_store(layers, cell, sums, scene->wavelength_m / (4 * RW_PI * straight_m),
                        straight_m / RW_SPEED_OF_LIGHT_M_S);
    rw_tile_store_mechanism(layers, cell, sums);
}

/* A tile has one field, in its middle: its mean is the sum of powers. */
static rw_ray_sum_kind sum_of_tiles(rw_ray_sum_kind kind)
{
    return kind == RW_RAY_SUM_LOCAL ? RW_RAY_SUM_POWER : kind;
}

typedef struct storing {
    const tiles_state *state;
    const rw_ray_layers *layers;
} storing;

static void store_by_tile(void *user, size_t begin, size_t end)
{
    const storing *to = user;
    const tiles_state *state = to->state;
    const rw_tile *tiles = state->city->tiles.view.tiles;
    for (size_t i = begin; i < end; i++) {
        uint32_t tile = state->nearest[i];
        if (tile != RW_NO_TILE)
            store_tile_sums(state, to->layers, state->prediction->receivers.view.outdoor[i], &state->sums[tile],
                            tiles[tile].centre);
    }
}

static void store_by_point(void *user, size_t begin, size_t end)
{
    const storing *to = user;
    const tiles_state *state = to->state;
    for (size_t i = begin; i < end; i++)
        store_tile_sums(state, to->layers, state->prediction->receivers.view.outdoor[i], &state->sums[i],
                        state->points.points[i]);
}

static rw_status store_nearest(const tiles_state *state, const rw_ray_layers *layers)
{
    storing to = {state, layers};
    RW_TRY(rw_tile_solver_read(&state->solver, state->sums, NULL));
    return rw_parallel(state->city->context, state->prediction->receivers.view.outdoor_count, 2048, store_by_tile, &to);
}

static rw_status store_exact(const tiles_state *state, const rw_ray_layers *layers)
{
    storing to = {state, layers};
    RW_TRY(rw_tile_solver_read(&state->solver, NULL, state->sums));
    return rw_parallel(state->city->context, state->points.count, 2048, store_by_point, &to);
}

/* In power sums a wave and the diffraction of the edge that ends it are one field. */
static rw_status add_tiles_joint_power(const rw_tile_solver *solver, rw_ray_sums *sums, double *free_gains)
{
    const rw_tile_scene *scene = &solver->host;
    RW_TRY(rw_tile_solver_read(solver, NULL, sums));
    for (size_t i = 0; i < solver->point_count; i++)
        free_gains[i] =
            scene->wavelength_m / (4 * RW_PI * rw_vec3_length(rw_vec3_sub(solver->points[i], scene->source)));
    RW_TRY(rw_joint_waves_sum(solver->joint, free_gains, scene->wavelength_m, sums));
    return rw_device_upload(solver->city->context, solver->city->backend, solver->point_sums, sums,
                            solver->point_count * sizeof *sums);
}

/* Of one port. */
static rw_status run_tile_solver(tiles_state *state, rw_stored_tiles *stored, size_t transmitter)
{
    rw_tile_solver *solver = &state->solver;
    rw_context *context = state->city->context;
    rw_joint_waves joint;
    rw_ray_sums *sums = NULL;
    double *free_gains = NULL;
    if (state->kind != RW_RAY_SUM_POWER || !state->has_points)
        return rw_stored_tiles_run(stored, transmitter, solver);
    rw_joint_waves_init(context, &joint);
    solver->joint = &joint;
    rw_status status = rw_stored_tiles_run(stored, transmitter, solver);
    if (status == RW_OK)
        status = rw_array_create(context, solver->point_count + 1, sizeof *sums, "sums", &sums);
    if (status == RW_OK)
        status = rw_array_create(context, solver->point_count + 1, sizeof *free_gains, "receivers", &free_gains);
    if (status == RW_OK)
        status = add_tiles_joint_power(solver, sums, free_gains);
    solver->joint = NULL;
    rw_joint_waves_free(&joint);
    free(sums);
    free(free_gains);
    return status;
}

/* One port of a transmitter: of two each has half of the power. */
static rw_status locate_antenna_port(tiles_state *state, size_t transmitter, int port)
{
    rw_tile_solver *solver = &state->solver;
    const rw_prediction *prediction = state->prediction;
    rw_transmitter about = prediction->options->transmitters[transmitter];
    RW_TRY(rw_tile_solver_locate_of(solver, prediction, transmitter));
    if (!about.dual_polarised || state->stored)
        return RW_OK;
    about.slant_deg -= 90 * port;
    RW_TRY(rw_pattern_upload(state->city->context, state->city->backend, prediction->antennas[transmitter], &about,
                             &solver->transmitter_pattern, &solver->host.transmitter, &solver->scene.transmitter));
    solver->host.transmitter.peak_amplitude *= sqrt(0.5);
    solver->scene.transmitter.peak_amplitude *= sqrt(0.5);
    return RW_OK;
}

static rw_status merge_sums(const tiles_state *state, rw_ray_sums *sums, const rw_ray_sums *first, size_t count,
                            rw_ray_sums *of_backend)
{
    for (size_t i = 0; i < count; i++)
        rw_ray_sums_merge(&sums[i], &first[i]);
    return rw_device_upload(state->city->context, state->city->backend, of_backend, sums, count * sizeof *sums);
}

/* Adds what comes from the second port of a dual-polarised transmitter. */
static rw_status run_second_port(tiles_state *state, size_t transmitter)
{
    rw_tile_solver *solver = &state->solver;
    size_t tiles = state->city->tiles.view.tile_count, points = solver->point_count, all = tiles + points;
    rw_ray_sums *first;
    RW_TRY(rw_array_create(state->city->context, 2 * all + 1, sizeof *first, "sums", &first));
    rw_ray_sums *second = first + all;
    rw_status status = rw_tile_solver_read(solver, first, first + tiles);
    if (status == RW_OK)
        status = locate_antenna_port(state, transmitter, 1);
    if (status == RW_OK)
        status = run_tile_solver(state, NULL, transmitter);
    if (status == RW_OK)
        status = rw_tile_solver_read(solver, second, second + tiles);
    if (status == RW_OK)
        status = merge_sums(state, second, first, tiles, solver->tile_sums);
    if (status == RW_OK)
        status = merge_sums(state, second + tiles, first + tiles, points, solver->point_sums);
    free(first);
    return status;
}

static rw_status solve_tiles_transmitter(tiles_state *state, rw_run *run, size_t transmitter)
{
    rw_ray_layers layers = {run, transmitter, state->kind, state->power_dbm};
    int dual = state->prediction->options->transmitters[transmitter].dual_polarised;
    RW_TRY(locate_antenna_port(state, transmitter, 0));
    state->solver.scene.medium = rw_medium_of(&state->medium, transmitter, 0);
    state->solver.host.medium = rw_medium_of(&state->medium, transmitter, 1);
    RW_TRY(rw_ray_sum_resolve(state->prediction, transmitter, &state->kind));
    rw_near_square none = {0}, cell = rw_prediction_cell(state->prediction);
    int local = state->kind == RW_RAY_SUM_LOCAL && state->has_points;
    state->solver.scene.near = state->solver.host.near = local ? cell : none;
    if (!state->has_points)
        state->kind = sum_of_tiles(state->kind);
    layers.kind = state->kind;
    state->solver.points_only =
        state->has_points && !state->stored && !state->values; /* kept rays serve tiles as well */
    RW_TRY(run_tile_solver(state, state->stored, transmitter));
    if (dual && state->stored)
        rw_warn(state->city->context, "kept rays are of the first port of %.60s alone: leave reuse out for both",
                state->prediction->options->transmitters[transmitter].name);
    else if (dual)
        RW_TRY(run_second_port(state, transmitter));
    if (state->values) {
        state->values->kind = sum_of_tiles(state->kind);
        RW_TRY(rw_tile_values_add(state->values, transmitter, &state->solver));
    }
    if (!run->map) /* values on tiles alone */
        return RW_OK;
    rw_ray_layers_begin(&layers);
    RW_TRY(state->has_points ? store_exact(state, &layers) : store_nearest(state, &layers));
    return rw_ray_layers_end(&layers, run);
}

static rw_status solve_tiles_transmitters(void *state, rw_run *run, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        RW_TRY(solve_tiles_transmitter(state, run, i));
    return RW_OK;
}

static rw_status begin_tiles_run(void *state_in, rw_run *run)
{
    tiles_state *state = state_in;
    (void)run;
    const rw_prediction *prediction = state->prediction;
    const rw_tile_points *points = state->has_points ? &state->points : NULL;
    if (prediction->options->reuse) {
        RW_TRY(rw_stored_tiles_open(prediction, state->city, &state->limits, points, &state->stored_of_call));
        state->stored = &state->stored_of_call;
    }
    if (!prediction->tiles)
        return RW_OK;
    RW_TRY(rw_tile_values_begin(prediction, state->city, state->kind, &state->values_of_call));
    state->values = &state->values_of_call;
    return RW_OK;
}

static rw_status end_tiles_run(void *state_in, rw_run *run, rw_status status)
{
    tiles_state *state = state_in;
    (void)run;
    if (state->stored && status == RW_OK)
        status = rw_stored_tiles_finish(state->stored);
    if (state->stored)
        rw_stored_tiles_close(state->stored);
    state->stored = NULL;
    if (!state->values)
        return status;
    if (status == RW_OK)
        status = rw_tile_values_finish(state->values);
    rw_tile_map *tile_map = rw_tile_values_end(state->values);
    state->values = NULL;
    if (status == RW_OK)
        *state->prediction->tiles = tile_map;
    else
        rw_tile_map_destroy(tile_map);
    return status;
}

static rw_status resolve_tiles_options(tiles_state *state, rw_use use)
{
    const rw_predict_options *options = state->prediction->options;
    rw_context *context = state->prediction->scene->context;
    RW_TRY(rw_tile_resolve(state->prediction, use, &state->limits, &state->tiling));
    return options->sum ? rw_ray_sum_parse(context, options->sum, &state->kind) : RW_OK;
}

static int is_exact(const tiles_state *state)
{
    const rw_predict_options *options = state->prediction->options;
    return !options->cells || strcmp(options->cells, "exact") == 0;
}

/* Lists of the tiles that cells see must fit in memory. */
static rw_status check_lists(const tiles_state *state)
{
    const rw_tile_city *city = state->city;
    size_t count = state->prediction->receivers.view.outdoor_count;
    double bytes = rw_tile_points_bytes(city, count),
           bytes_max = rw_device_buffer_bytes(city->backend, LISTS_BYTES, 0.5);
    if (bytes <= bytes_max)
        return RW_OK;
    return rw_fail(
        city->context, RW_TOO_LARGE,
        "the tiles that %zu cells see take %.2g GB, more than %.2g: use a larger res, a smaller area, or cells "
        "nearest, the values of the nearest ground tiles",
        count, 1e-9 * bytes, 1e-9 * bytes_max);
}

static rw_status find_nearest(tiles_state *state)
{
    const rw_receivers_view *view = &state->prediction->receivers.view;
    rw_context *context = state->city->context;
    tile_index index = {0};
    RW_TRY(rw_array_create(context, view->outdoor_count, sizeof *state->nearest, "cells", &state->nearest));
    int any = state->prediction->options->cells && strcmp(state->prediction->options->cells, "nearest-any") == 0;
    rw_status status = index_tiles(context, &state->city->tiles.view, state->city->tiles.options.area_m2, any, &index);
    for (size_t i = 0; status == RW_OK && i < view->outdoor_count; i++)
        state->nearest[i] = find_nearest_tile(&index, rw_receiver_point(view, view->outdoor[i]));
    release_index(&index);
    return status;
}

static rw_status open_cells(tiles_state *state, rw_use use)
{
    const rw_prediction *prediction = state->prediction;
    rw_context *context = state->city->context;
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    if (use == RW_USE_PATHS || is_exact(state)) {
        RW_TRY(check_lists(state));
        RW_TRY(rw_tile_points_of(prediction, state->city, &state->points));
        state->has_points = 1;
    } else {
        RW_TRY(find_nearest(state));
    }
    if (use == RW_USE_PATHS)
        return RW_OK;
    size_t sums = state->has_points ? state->points.count : state->city->tiles.view.tile_count;
    RW_TRY(rw_array_create(context, sums, sizeof *state->sums, "sums", &state->sums));
    return rw_array_create(context, cells, sizeof *state->power_dbm, "received power", &state->power_dbm);
}

static rw_status open_tiles_state(tiles_state *state, rw_use use)
{
    const rw_prediction *prediction = state->prediction;
    RW_TRY(resolve_tiles_options(state, use));
    RW_TRY(rw_medium_upload(prediction, use, &state->medium));
    RW_TRY(rw_tile_city_acquire(prediction->scene, state->tiling, prediction->options->database, &state->city));
    if (use != RW_USE_TILES)
        RW_TRY(open_cells(state, use));
    return rw_tile_solver_open(state->city, &state->limits, state->has_points ? &state->points : NULL, &state->solver);
}

static void close_tiles_model(void *state_in)
{
    tiles_state *state = state_in;
    rw_tile_solver_destroy(&state->solver);
    rw_medium_release(&state->medium);
    if (state->has_points)
        rw_tile_points_destroy(&state->points);
    if (state->city)
        rw_tile_city_release(state->city);
    free(state->nearest);
    free(state->sums);
    free(state->power_dbm);
    free(state);
}

static rw_status open_tiles_model(const rw_prediction *prediction, rw_use use, void **state_out)
{
    tiles_state *state;
    RW_TRY(rw_array_create(prediction->scene->context, 1, sizeof *state, "the tiles model", &state));
    state->prediction = prediction;
    rw_status status = open_tiles_state(state, use);
    if (status == RW_OK)
        *state_out = state;
    else
        close_tiles_model(state);
    return status;
}

static rw_status trace_tiles_paths(void *state_in, size_t first, size_t count, rw_paths *paths)
{
    tiles_state *state = state_in;
    for (size_t i = first; i < first + count; i++) {
        RW_TRY(rw_tile_solver_locate_of(&state->solver, state->prediction, i));
        RW_TRY(rw_tiles_trace(state->prediction, &state->solver, paths));
    }
    return RW_OK;
}

static const rw_layer_kind layer_kinds[] = {RW_TILE_LAYERS(RW_LAYER_KIND){NULL, NULL, NULL}};

const rw_model rw_model_tiles = {.name = "tiles",
                                 .title = "Facades and city: rays between tiles of facades",
                                 .polarised = 1,
                                 .flat_earth = 1,
                                 .layer_kinds = layer_kinds,
                                 .layers = RW_LAYER_NAMES(RW_TILE_LAYERS),
                                 .default_layers = RW_RAY_DEFAULT_LAYERS,
                                 .options = rw_tile_option_table,
                                 .extent = rw_tiles_extent_key,
                                 .open = open_tiles_model,
                                 .close = close_tiles_model,
                                 .begin = begin_tiles_run,
                                 .end = end_tiles_run,
                                 .solve = solve_tiles_transmitters,

                                 .records_gains = 1,
                                 .prior_by_engine = RW_PRIOR_AMONG_BUILDINGS,
                                 .antenna_in_loss = 1,
                                 .trace = trace_tiles_paths,
                                 .estimate = rw_tiles_estimate_prediction,
                                 .database = &rw_tile_database_calls,
                                 .all_paths = 1};
