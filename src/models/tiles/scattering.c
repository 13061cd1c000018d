/* Diffuse scattering: what has reached the tiles of rough walls is sent on to everything they see. Rays with the same
 * counts of interactions are one scatterer, so that there are as many as tiles and not as many as rays. */
#include "models/tiles/tiles.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A scatterer from fixed point; 0 where nothing has come or what it could send is below the threshold. */
static int make_scatterer(const rw_tile_solver *solver, const rw_tile_incident *incident, uint32_t tile,
                          rw_tile_scatterer *tile_scatterer)
{
    double straight_m = rw_vec3_length(rw_vec3_sub(solver->host.tiles.tiles[tile].centre, solver->host.source));
    double free_power = 1 / (straight_m * straight_m);
    double power = (double)(incident->theta + incident->phi) / RW_RAY_AMPLITUDE_UNITS;
    if (!(power > 0))
        return 0;
    double late_ns = (double)incident->delay / RW_RAY_POWER_UNITS / power;
    *tile_scatterer = (rw_tile_scatterer){.tile = tile,
                                          .theta = (double)incident->theta / RW_RAY_AMPLITUDE_UNITS * free_power,
                                          .phi = (double)incident->phi / RW_RAY_AMPLITUDE_UNITS * free_power,
                                          .delay_s = straight_m / RW_SPEED_OF_LIGHT_M_S + 1e-9 * late_ns};
    tile_scatterer->incoming = rw_vec3_scale(rw_vec3_of((double)incident->x, (double)incident->y, (double)incident->z),
                                             free_power / RW_RAY_AMPLITUDE_UNITS);
    return 1;
}

/* All scatterers of a tile together. */
static void add_lit(rw_tile_scatterer *lit, const rw_tile_scatterer *more)
{
    double before = lit->theta + lit->phi, power = more->theta + more->phi;
    lit->tile = more->tile;
    lit->delay_s = (before * lit->delay_s + power * more->delay_s) / (before + power);
    lit->incoming = rw_vec3_add(lit->incoming, more->incoming);
    lit->theta += more->theta;
    lit->phi += more->phi;
}

static rw_status gather_scattered_power(const rw_tile_solver *solver, const rw_tile_scatterer *lit)
{
    const rw_tile_city *city = solver->city;
    size_t tiles = city->tiles.view.tile_count;
    struct rw_gather_scattered_args args = {
        .scene = solver->scene, .world = city->world.view, .min_gain = solver->min_gain, .sums = solver->tile_sums};
    void *copy;
    RW_TRY(rw_device_alloc(city->context, city->backend, tiles * sizeof *lit, "scattering tiles", &copy));
    args.lit = copy;
    rw_status status = rw_device_upload(city->context, city->backend, copy, lit, tiles * sizeof *lit);
    if (status == RW_OK)
        status = rw_device_launch(city->context, city->backend, RW_KERNEL_gather_scattered, &args,
                                  tiles * rw_device_lanes(city->backend));
    if (status == RW_OK)
        status = rw_device_wait(city->context, city->backend);
    rw_device_free(city->backend, copy);
    return status;
}

/* The scatterers of all groups, group after group. */
static rw_status list_scatterers(rw_tile_solver *solver, rw_tile_scatterer *lit)
{
    const rw_tile_city *city = solver->city;
    size_t tiles = city->tiles.view.tile_count, capacity = 0, count = 0;
    rw_tile_incident *incidents;
    RW_TRY(rw_array_create(city->context, tiles, sizeof *incidents, "scattering tiles", &incidents));
    rw_status status = RW_OK;
    free(solver->scatterers);
    solver->scatterers = NULL;
    for (size_t group = 0; status == RW_OK && group < solver->group_count; group++) {
        status = rw_device_download(city->context, city->backend, incidents, solver->incidents + group * tiles,
                                    tiles * sizeof *incidents);
        if (status == RW_OK)
            status = rw_array_reserve(city->context, &solver->scatterers, &capacity, count + tiles,
                                      sizeof *solver->scatterers, "scattering tiles");
        for (uint32_t tile = 0; status == RW_OK && tile < tiles; tile++)
            if (make_scatterer(solver, &incidents[tile], tile, &solver->scatterers[count])) {
                solver->scatterers[count].group = (uint32_t)group;
                add_lit(&lit[tile], &solver->scatterers[count]);
                count++;
            }
    }
    free(incidents);
    solver->scatterer_count = count;
    return status;
}

static rw_status upload_scatterers(rw_tile_solver *solver)
{
    size_t count = solver->scatterer_count;
    const rw_tile_city *city = solver->city;
    size_t bytes = (count + 1) * sizeof *solver->scatterers;
    RW_TRY(rw_device_grow(city->context, city->backend, &solver->copies[1], 0, bytes, "scattering tiles"));
    solver->scene.scatterers = solver->copies[1];
    solver->host.scatterers = solver->scatterers;
    return rw_device_upload(city->context, city->backend, solver->copies[1], solver->scatterers,
                            count * sizeof *solver->scatterers);
}

/* Scatterers of a group as rays that have reached their own tile. */
static rw_status send_on(rw_tile_solver *solver, size_t group, size_t first, size_t end)
{
    int bends = (int)(group % ((size_t)solver->limits.diffractions + 1));
    int count = (int)(group / ((size_t)solver->limits.diffractions + 1));
    int depth_left = solver->limits.depth - count - 1;
    rw_tile_ray *rays;
    if (depth_left == 0 && solver->point_count == 0)
        return RW_OK;
    RW_TRY(rw_array_create(solver->city->context, end - first, sizeof *rays, "rays", &rays));
    for (size_t i = first; i < end; i++)
        rays[i - first] = (rw_tile_ray){.steps = {(uint32_t)i},
                                        .end = solver->scatterers[i].tile,
                                        .count = 1,
                                        .end_kind = RW_END_TILE,
                                        .scattered = 1,
                                        .origin = 1,
                                        .depth_left = (uint8_t)(depth_left & 15),
                                        .bends_left = (uint8_t)((solver->limits.diffractions - bends) & 15),
                                        .mirrors_left = (uint8_t)(solver->limits.reflections - (count - bends))};
    rw_status status = rw_tile_bounce(solver, rays, end - first);
    free(rays);
    return status;
}

rw_status rw_tile_gather(rw_tile_solver *solver)
{
    rw_tile_scatterer *lit;
    RW_TRY(rw_array_create(solver->city->context, solver->city->tiles.view.tile_count, sizeof *lit, "scattering tiles",
                           &lit));
    rw_status status = list_scatterers(solver, lit);
    if (status == RW_OK && !solver->points_only)
        status = gather_scattered_power(solver, lit);
    free(lit);
    return status == RW_OK ? upload_scatterers(solver) : status;
}

rw_status rw_tile_scatter(rw_tile_solver *solver)
{
    RW_TRY(rw_tile_gather(solver));
    for (size_t first = 0, end; first < solver->scatterer_count; first = end) {
        uint32_t group = solver->scatterers[first].group;
        for (end = first; end < solver->scatterer_count && solver->scatterers[end].group == group;)
            end++;
        RW_TRY(send_on(solver, group, first, end));
    }
    return RW_OK;
}
