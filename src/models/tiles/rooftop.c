/* Paths over the roofs to tiles and points (rooftop_rays.k.h), summed or one by one. */
#include "models/tiles/tiles.h"

#include "discretise/prepared.h"
#include "field/edges/deflection.h"
#include "models/tiles/rooftop_rays.k.h"

#include <math.h>

static rw_status prepare_roof_rays(const rw_tile_solver *solver, rw_backend backend, struct rw_roof_rays_args *args)
{
    const rw_tile_city *city = solver->city;
    double freq_hz = RW_SPEED_OF_LIGHT_M_S / solver->host.wavelength_m;
    rw_deflection_setting setting = rw_deflection_setting_default(RW_DEFLECTION_ROOF, freq_hz);
    *args = (struct rw_roof_rays_args){.scene = backend == city->backend ? solver->scene : solver->host,
                                       .polynomial = solver->limits.roofs == RW_ROOFS_POLYNOMIAL,
                                       .vogler = solver->limits.roofs == RW_ROOFS_VOGLER,
                                       .wavelength_m = (float)solver->host.wavelength_m,
                                       .facade_db = RW_FACADE_DB,
                                       .min_gain = solver->min_gain};
    RW_TRY(rw_prepared_view(city->scene, backend, &args->grid));
    args->grid.curve_per_m = solver->limits.curve_per_m;
    args->grid.ground_curve_per_m = solver->limits.ground_curve_per_m;
    return args->polynomial ? rw_deflection_fit(city->context, RW_DEFLECTION_ROOF, &setting, &args->roof, NULL) : RW_OK;
}

rw_status rw_tile_over_roofs(const rw_tile_solver *solver)
{
    const rw_tile_city *city = solver->city;
    struct rw_roof_rays_args args;
    RW_TRY(prepare_roof_rays(solver, city->backend, &args));
    args.sums = solver->tile_sums;
    if (!solver->points_only)
        RW_TRY(rw_device_launch(city->context, city->backend, RW_KERNEL_roof_rays, &args, city->tiles.view.tile_count));
    args.sums = solver->point_sums;
    args.to_points = 1;
    return rw_device_launch(city->context, city->backend, RW_KERNEL_roof_rays, &args, solver->point_count);
}

rw_status rw_tile_over_roofs_find(const rw_tile_solver *solver, size_t point, rw_tile_roof_path *found)
{
    struct rw_roof_rays_args args;
    rw_roof_path path = {0};
    rw_vec3 end = solver->points[point], vector = rw_vec3_sub(solver->host.source, end);
    found->count = 0;
    RW_TRY(prepare_roof_rays(solver, RW_BACKEND_CPU, &args));
    rw_sight sight = rw_sight_of(&args.grid, end, solver->host.source);
    found->there = !rw_march_clear(&args.grid, &sight);
    if (found->there)
        rw_roof_arrival(&args, end, &sight, &path, &found->arrival);
    found->there = found->there && rw_roof_counts(&args, &found->arrival);
    for (int i = path.count - 1; found->there && i >= 0; i--)
        found->points[found->count++] =
            rw_vec3_of(end.x + (double)path.t[i] * vector.x, end.y + (double)path.t[i] * vector.y, (double)path.z[i]);
    return RW_OK;
}
