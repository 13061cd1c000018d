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
#define CAPACITY_MIN ((size_t)1 << 16)

static rw_status upload_solver_array(rw_tile_solver *solver, int slot, const void *host, size_t bytes,
                                     const void *field)
{
    const rw_tile_city *city = solver->city;
    if (!solver->copies[slot])
        RW_TRY(rw_device_alloc(city->context, city->backend, bytes + 1, "tiles", &solver->copies[slot]));
    *(const void **)(uintptr_t)field = solver->copies[slot];
    return rw_device_upload(city->context, city->backend, solver->copies[slot], host, bytes);
}

static rw_status find_tile_walls(rw_tile_solver *solver, double freq_hz)
{
    const rw_tiles *tiles = &solver->city->tiles;
    if (freq_hz == solver->freq_hz)
        return RW_OK;
    solver->freq_hz = 0;
    if (!solver->walls)
        RW_TRY(rw_array_create(solver->city->context, tiles->material_count, sizeof *solver->walls, "materials",
                               &solver->walls));
    for (size_t i = 0; i < tiles->material_count; i++) {
        /* tiles do not know whether the scene says what its ground is of */
        int ground = tiles->materials[i] == tiles->options.ground;
        const char *name = ground ? rw_ground_surface(solver->city->scene) : tiles->materials[i];
        RW_TRY(rw_construction_find(solver->city->scene, name, freq_hz, &solver->walls[i]));
        if (!ground)
            rw_construction_roughen(&solver->walls[i], solver->limits.roughness);
    }
    solver->host.walls = solver->walls;
    RW_TRY(upload_solver_array(solver, 0, solver->walls, tiles->material_count * sizeof *solver->walls,
                               &solver->scene.walls));
    solver->freq_hz = freq_hz;
    return RW_OK;
}

static rw_status upload_tile_antenna(rw_tile_solver *solver, const rw_antenna *antenna, const rw_transmitter *about)
{
    solver->scene.receiver = solver->host.receiver = rw_pattern_receiver();
    return rw_pattern_upload(solver->city->context, solver->city->backend, antenna, about, &solver->transmitter_pattern,
                             &solver->host.transmitter, &solver->scene.transmitter);
}

static void share_tile_points(rw_tile_solver *solver, const rw_tile_points *points)
{
    solver->point_count = points->count;
    if (points->count == 0)
        return;
    solver->points = solver->host.points = points->points;
    solver->scene.points = points->copies[0];
    solver->scene.point_firsts = points->copies[1];
    solver->scene.tile_points = points->copies[2];
    solver->wide = points->wide;
    solver->scene.wide = points->wide->on_device.view;
    solver->scene.neighbours = points->wide->device_neighbours;
    solver->scene.reverse_firsts = points->wide->device_reverse[0];
    solver->scene.reverse_neighbours = points->wide->device_reverse[1];
}

static void free_ray_levels(rw_tile_solver *solver)
{
    for (size_t i = 0; i < sizeof solver->levels / sizeof *solver->levels; i++) {
        if (solver->levels[i])
            rw_device_free(solver->city->backend, solver->levels[i]);
        solver->levels[i] = NULL;
    }
}

static rw_status try_levels(rw_tile_solver *solver, size_t levels)
{
    const rw_tile_city *city = solver->city;
    for (size_t i = 0; i < levels; i++)
        RW_TRY(rw_device_alloc(city->context, city->backend, solver->capacity * sizeof(rw_tile_ray), "rays",
                               &solver->levels[i]));
    return RW_OK;
}

/* As many rays a level as are asked for; by default, as many as fit in memory or in half of what is left of a budget.
 */
static rw_status allocate_ray_levels(rw_tile_solver *solver)
{
    size_t levels = (size_t)solver->limits.depth + 2, row = levels * sizeof(rw_tile_ray);
    int requested = solver->limits.memory_bytes > 0;
    size_t capacity = solver->city->backend == RW_BACKEND_CUDA ? CAPACITY_CUDA : CAPACITY_CPU;
    double wanted = requested ? solver->limits.memory_bytes : (double)(capacity * row);
    capacity = (size_t)fmin(rw_device_buffer_bytes(solver->city->backend, wanted, 0.5) / (double)row, 1u << 30);
    solver->capacity = (uint32_t)(capacity < CAPACITY_MIN ? CAPACITY_MIN : capacity);
    rw_status status = try_levels(solver, levels);
    while (status != RW_OK && !requested && solver->capacity > CAPACITY_MIN) {
        free_ray_levels(solver);
        solver->capacity /= 2;
        status = try_levels(solver, levels);
    }
    return status;
}

/* What rough tiles send on needs memory of its own. */
static rw_status allocate_incidents(rw_tile_solver *solver)
{
    const rw_tile_city *city = solver->city;
    size_t tiles = city->tiles.view.tile_count;
    int rough = 0;
    for (size_t i = 0; i < city->tiles.material_count; i++)
        rough |= solver->walls[i].smooth < 1;
    if (!rough && solver->limits.must_scatter)
        rw_warn(city->context, RW_NOTHING_SCATTERS);
    if (!rough || solver->limits.scatterings == 0 || solver->incidents)
        return RW_OK;
    solver->group_count = (size_t)solver->limits.depth * ((size_t)solver->limits.diffractions + 1);
    return rw_device_alloc(city->context, city->backend, solver->group_count * tiles * sizeof *solver->incidents,
                           "scattering tiles", &solver->incidents);
}

static rw_status allocate_tile_solver(rw_tile_solver *solver)
{
    const rw_tile_city *city = solver->city;
    rw_context *context = city->context;
    rw_backend backend = city->backend;
    size_t tiles = city->tiles.view.tile_count;
    solver->scene.tiles = city->on_device.view;
    solver->scene.sight = city->device_sight.view;
    solver->scene.blocks = city->world.view.blocks;
    solver->host.tiles = city->tiles.view;
    solver->host.sight = city->sight.view;
    solver->scene.exact = city->world.view.grid.exact;
    solver->scene.radius_m = solver->host.radius_m = city->radius_m;
    solver->scene.holm = solver->host.holm = solver->limits.holm;
    solver->scene.lobe = solver->host.lobe = solver->limits.lobe;
    solver->scene.reach_m = solver->host.reach_m = city->reach_m;
    solver->min_gain = pow(10, -0.1 * solver->limits.loss_max_db);
    RW_TRY(rw_device_alloc(context, backend, sizeof *solver->used, "rays", &solver->used));
    RW_TRY(rw_device_alloc(context, backend, (tiles + 1) * sizeof(rw_ray_sums), "sums", &solver->tile_sums));
    RW_TRY(rw_device_alloc(context, backend, (solver->point_count + 1) * sizeof(rw_ray_sums), "sums",
                           &solver->point_sums));
    return allocate_ray_levels(solver);
}

rw_status rw_tile_solver_open(const rw_tile_city *city, const rw_tile_limits *limits, const rw_tile_points *points,
                              rw_tile_solver *solver)
{
    *solver = (rw_tile_solver){.city = city, .limits = *limits};
    if (points)
        share_tile_points(solver, points);
    rw_status status = allocate_tile_solver(solver);
    if (status != RW_OK)
        rw_tile_solver_destroy(solver);
    return status;
}

static rw_status locate_tile_source(rw_tile_solver *solver, double freq_hz, const rw_antenna *antenna,
                                    const rw_transmitter *about, rw_vec3 source)
{
    solver->scene.source = solver->host.source = source;
    solver->scene.wavelength_m = solver->host.wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    RW_TRY(find_tile_walls(solver, freq_hz));
    RW_TRY(allocate_incidents(solver));
    return upload_tile_antenna(solver, antenna, about);
}

rw_status rw_tile_solver_create(const rw_tile_city *city, const rw_tile_limits *limits, double freq_hz,
                                const rw_antenna *antenna, const rw_transmitter *about, rw_vec3 source,
                                const rw_tile_points *points, rw_tile_solver *solver)
{
    RW_TRY(rw_tile_solver_open(city, limits, points, solver));
    rw_status status = locate_tile_source(solver, freq_hz, antenna, about, source);
    if (status != RW_OK)
        rw_tile_solver_destroy(solver);
    return status;
}

rw_status rw_tile_solver_locate_of(rw_tile_solver *solver, const rw_prediction *prediction, size_t transmitter)
{
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 source = prediction->sources[transmitter];
    solver->prediction = prediction;
    solver->transmitter = transmitter;
    RW_TRY(locate_tile_source(solver, rw_prediction_freq_hz(prediction, transmitter), prediction->antennas[transmitter],
                              &prediction->options->transmitters[transmitter],
                              rw_vec3_of(source.x - centre.x, source.y - centre.y, source.z)));
    return rw_receiver_pattern_upload(prediction, solver->city->backend, &solver->receiver_pattern,
                                      &solver->host.receiver, &solver->scene.receiver);
}

void rw_tile_solver_destroy(rw_tile_solver *solver)
{
    if (!solver->city)
        return;
    rw_backend backend = solver->city->backend;
    void *arrays[] = {solver->tile_sums, solver->point_sums, solver->incidents, solver->used};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(backend, arrays[i]);
    for (size_t i = 0; i < sizeof solver->copies / sizeof *solver->copies; i++)
        if (solver->copies[i])
            rw_device_free(backend, solver->copies[i]);
    free_ray_levels(solver);
    free(solver->walls);
    rw_pattern_release(backend, &solver->transmitter_pattern);
    rw_pattern_release(backend, &solver->receiver_pattern);
    free(solver->scatterers);
    *solver = (rw_tile_solver){0};
}

rw_status rw_tile_solver_read(const rw_tile_solver *solver, rw_ray_sums *tile_sums, rw_ray_sums *point_sums)
{
    const rw_tile_city *city = solver->city;
    if (tile_sums)
        RW_TRY(rw_device_download(city->context, city->backend, tile_sums, solver->tile_sums,
                                  city->tiles.view.tile_count * sizeof *tile_sums));
    if (point_sums)
        RW_TRY(rw_device_download(city->context, city->backend, point_sums, solver->point_sums,
                                  solver->point_count * sizeof *point_sums));
    return RW_OK;
}
