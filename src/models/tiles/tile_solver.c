/* One transmitter among the tiles: what its kernels need, placed on the backend. */
#include "models/tiles/tiles.h"

#include "base/memory.h"
#include "discretise/prepared.h"
#include "discretise/surfaces/surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rays in flight at each level where the free memory is unknown. */
#define CAPACITY_CPU ((size_t)1 << 20)
#define CAPACITY_CUDA ((size_t)1 << 26)
#define CAPACITY_LEAST ((size_t)1 << 16)

static rw_status place(rw_tile_solver *shot, int slot, const void *host, size_t bytes, const void *field)
{
    const rw_tile_city *city = shot->city;
    if (!shot->copies[slot])
        RW_TRY(rw_device_alloc(city->context, city->backend, bytes + 1, "tiles", &shot->copies[slot]));
    *(const void **)(uintptr_t)field = shot->copies[slot];
    return rw_device_upload(city->context, city->backend, shot->copies[slot], host, bytes);
}

static rw_status find_walls(rw_tile_solver *shot, double freq_hz)
{
    const rw_tiles *tiles = &shot->city->tiles;
    if (freq_hz == shot->freq_hz)
        return RW_OK;
    shot->freq_hz = 0;
    if (!shot->walls)
        RW_TRY(rw_array_create(shot->city->context, tiles->material_count, sizeof *shot->walls, "materials",
                               &shot->walls));
    for (size_t i = 0; i < tiles->material_count; i++) {
        /* tiles do not know whether the scene says what its ground is of */
        int ground = tiles->materials[i] == tiles->options.ground;
        const char *name = ground ? rw_ground_surface(shot->city->scene) : tiles->materials[i];
        RW_TRY(rw_construction_find(shot->city->scene, name, freq_hz, &shot->walls[i]));
    }
    shot->host.walls = shot->walls;
    RW_TRY(place(shot, 0, shot->walls, tiles->material_count * sizeof *shot->walls, &shot->scene.walls));
    shot->freq_hz = freq_hz;
    return RW_OK;
}

static rw_status place_antenna(rw_tile_solver *shot, const rw_antenna *antenna, const rw_transmitter *about)
{
    size_t values = (size_t)RW_PATTERN_ROWS * RW_PATTERN_COLUMNS;
    if (!shot->amplitudes)
        RW_TRY(rw_array_create(shot->city->context, values, sizeof *shot->amplitudes, "an antenna", &shot->amplitudes));
    rw_pattern_make(antenna, about, shot->amplitudes, &shot->host.transmitter);
    shot->scene.transmitter = shot->host.transmitter;
    shot->scene.receiver = shot->host.receiver = rw_pattern_receiver();
    if (shot->host.transmitter.kind != RW_PATTERN_TABLE)
        return RW_OK;
    return place(shot, 1, shot->amplitudes, values * sizeof *shot->amplitudes, &shot->scene.transmitter.amplitudes);
}

static void lend_points(rw_tile_solver *shot, const rw_tile_points *points)
{
    shot->point_count = points->count;
    if (points->count == 0)
        return;
    shot->points = shot->host.points = points->points;
    shot->scene.points = points->copies[0];
    shot->scene.point_firsts = points->copies[1];
    shot->scene.tile_points = points->copies[2];
}

static void give_levels_back(rw_tile_solver *shot)
{
    for (size_t i = 0; i < sizeof shot->levels / sizeof *shot->levels; i++) {
        if (shot->levels[i])
            rw_device_free(shot->city->backend, shot->levels[i]);
        shot->levels[i] = NULL;
    }
}

static rw_status try_levels(rw_tile_solver *shot, size_t levels)
{
    const rw_tile_city *city = shot->city;
    for (size_t i = 0; i < levels; i++)
        RW_TRY(rw_device_alloc(city->context, city->backend, shot->capacity * sizeof(rw_tile_ray), "rays",
                               &shot->levels[i]));
    return RW_OK;
}

/* As many rays a level as are asked for; by default, as many as fit in memory or in half of what is left of a budget.
 */
static rw_status take_levels(rw_tile_solver *shot)
{
    size_t levels = (size_t)shot->limits.depth + 2, row = levels * sizeof(rw_tile_ray);
    int asked = shot->limits.memory_bytes > 0;
    size_t capacity = shot->city->backend == RW_BACKEND_CUDA ? CAPACITY_CUDA : CAPACITY_CPU;
    double wanted = asked ? shot->limits.memory_bytes : (double)(capacity * row);
    capacity = (size_t)fmin(rw_device_room(shot->city->backend, wanted, 0.5) / (double)row, 1u << 30);
    shot->capacity = (uint32_t)(capacity < CAPACITY_LEAST ? CAPACITY_LEAST : capacity);
    rw_status status = try_levels(shot, levels);
    while (status != RW_OK && !asked && shot->capacity > CAPACITY_LEAST) {
        give_levels_back(shot);
        shot->capacity /= 2;
        status = try_levels(shot, levels);
    }
    return status;
}

/* What rough tiles send on needs memory of its own. */
static rw_status take_incidents(rw_tile_solver *shot)
{
    const rw_tile_city *city = shot->city;
    size_t tiles = city->tiles.view.tile_count;
    int rough = 0;
    for (size_t i = 0; i < city->tiles.material_count; i++)
        rough |= shot->walls[i].smooth < 1;
    if (!rough || shot->limits.scatterings == 0 || shot->incidents)
        return RW_OK;
    shot->group_count = (size_t)shot->limits.depth * ((size_t)shot->limits.diffractions + 1);
    return rw_device_alloc(city->context, city->backend, shot->group_count * tiles * sizeof *shot->incidents,
                           "scattering tiles", &shot->incidents);
}

static rw_status take_memory(rw_tile_solver *shot)
{
    const rw_tile_city *city = shot->city;
    rw_context *context = city->context;
    rw_backend backend = city->backend;
    size_t tiles = city->tiles.view.tile_count;
    shot->scene.tiles = city->placed.view;
    shot->scene.sight = city->placed_sight.view;
    shot->scene.blocks = city->world.view.blocks;
    shot->host.tiles = city->tiles.view;
    shot->host.sight = city->sight.view;
    shot->scene.reach_m = shot->host.reach_m = city->reach_m;
    shot->least = pow(10, -0.1 * shot->limits.loss_max_db);
    RW_TRY(rw_device_alloc(context, backend, sizeof *shot->taken, "rays", &shot->taken));
    RW_TRY(rw_device_alloc(context, backend, (tiles + 1) * sizeof(rw_ray_sums), "sums", &shot->tile_sums));
    RW_TRY(rw_device_alloc(context, backend, (shot->point_count + 1) * sizeof(rw_ray_sums), "sums", &shot->point_sums));
    return take_levels(shot);
}

rw_status rw_tile_solver_open(const rw_tile_city *city, const rw_tile_limits *limits, const rw_tile_points *points,
                              rw_tile_solver *shot)
{
    *shot = (rw_tile_solver){.city = city, .limits = *limits};
    if (points)
        lend_points(shot, points);
    rw_status status = take_memory(shot);
    if (status != RW_OK)
        rw_tile_solver_destroy(shot);
    return status;
}

rw_status rw_tile_solver_place(rw_tile_solver *shot, double freq_hz, const rw_antenna *antenna,
                               const rw_transmitter *about, rw_vec3 source)
{
    shot->scene.source = shot->host.source = source;
    shot->scene.wavelength_m = shot->host.wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    RW_TRY(find_walls(shot, freq_hz));
    RW_TRY(take_incidents(shot));
    return place_antenna(shot, antenna, about);
}

rw_status rw_tile_solver_create(const rw_tile_city *city, const rw_tile_limits *limits, double freq_hz,
                                const rw_antenna *antenna, const rw_transmitter *about, rw_vec3 source,
                                const rw_tile_points *points, rw_tile_solver *shot)
{
    RW_TRY(rw_tile_solver_open(city, limits, points, shot));
    rw_status status = rw_tile_solver_place(shot, freq_hz, antenna, about, source);
    if (status != RW_OK)
        rw_tile_solver_destroy(shot);
    return status;
}

rw_status rw_tile_solver_place_of(rw_tile_solver *shot, const rw_prediction *prediction, size_t transmitter)
{
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 source = prediction->sources[transmitter];
    shot->prediction = prediction;
    shot->transmitter = transmitter;
    return rw_tile_solver_place(shot, rw_prediction_freq_hz(prediction, transmitter), prediction->antennas[transmitter],
                                &prediction->options->transmitters[transmitter],
                                rw_vec3_make(source.x - centre.x, source.y - centre.y, source.z));
}

void rw_tile_solver_destroy(rw_tile_solver *shot)
{
    if (!shot->city)
        return;
    rw_backend backend = shot->city->backend;
    void *taken[] = {shot->tile_sums, shot->point_sums, shot->incidents, shot->taken};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (taken[i])
            rw_device_free(backend, taken[i]);
    for (size_t i = 0; i < sizeof shot->copies / sizeof *shot->copies; i++)
        if (shot->copies[i])
            rw_device_free(backend, shot->copies[i]);
    give_levels_back(shot);
    free(shot->walls);
    free(shot->amplitudes);
    free(shot->scatterers);
    *shot = (rw_tile_solver){0};
}

rw_status rw_tile_solver_read(const rw_tile_solver *shot, rw_ray_sums *tile_sums, rw_ray_sums *point_sums)
{
    const rw_tile_city *city = shot->city;
    if (tile_sums)
        RW_TRY(rw_device_download(city->context, city->backend, tile_sums, shot->tile_sums,
                                  city->tiles.view.tile_count * sizeof *tile_sums));
    if (point_sums)
        RW_TRY(rw_device_download(city->context, city->backend, point_sums, shot->point_sums,
                                  shot->point_count * sizeof *point_sums));
    return RW_OK;
}
