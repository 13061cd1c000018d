/* The path over the roofs, from the shadow model, beside the rays between tiles: one item is one tile or point.
 *
 * Lu et al. (2019, section IV.C) name what goes over more roofs than rays have diffractions as their model's weakness.
 * What does not see the transmitter gets one path more: over the upper hull of the profile, with a loss for each
 * deflection (Rick and Kuhlen 2010, equations (18) to (20)). Its phase is not known; it adds by power. */
#ifndef RW_MODELS_TILES_ROOF_RAYS_K_H
#define RW_MODELS_TILES_ROOF_RAYS_K_H

#include "models/shadow/path_loss.k.h"
#include "models/tiles/tile_ray.k.h"

struct rw_roof_rays_args {
    rw_tile_scene scene;
    rw_wall_grid_view grid;
    rw_deflection roof;
    double least;  /* received over transmitted power */
    int to_points; /* 1: points; 0: tiles */
    rw_ray_sums *sums;
};

/* What comes over the roofs; 0 where the end sees the transmitter. */
RW_FN int rw_roof_arrival(const struct rw_roof_rays_args *args, rw_vec3 end, rw_roof_path *path,
                          rw_ray_arrival *arrival)
{
    rw_vec3 source = args->scene.source, way = rw_vec3_sub(end, source);
    rw_sight sight = rw_sight_make(&args->grid, end, source);
    double length_m;
    if (rw_march_clear(&args->grid, &sight))
        return 0;
    rw_roof_path_find(&args->grid, &sight, path);
    double loss_db = rw_roof_deflections_db(path, &sight, args->roof, &length_m);
    double sent = rw_vec3c_abs2(rw_pattern_vector(&args->scene.transmitter, rw_vec3_unit(way)));
    double free_gain = args->scene.wavelength_m / (4.0 * RW_PI * length_m);
    double last_t = path->count ? (double)path->t[0] : 1.0, last_z = path->count ? (double)path->z[0] : source.z;
    arrival->gain = rw_complex_make(free_gain * sqrt(sent) * pow(10.0, -0.05 * loss_db), 0.0);
    arrival->delay_s = length_m / RW_SPEED_OF_LIGHT_M_S;
    arrival->direction = rw_vec3_unit(rw_vec3_make(last_t * way.x, last_t * way.y, end.z - last_z));
    arrival->diffuse = 1;
    return 1;
}

RW_FN void rw_roof_rays_item(const struct rw_roof_rays_args *args, size_t item)
{
    rw_roof_path path;
    rw_ray_arrival arrival;
    rw_vec3 end = args->to_points ? args->scene.points[item] : rw_tile_point(args->scene.tiles.tiles + item);
    if (!rw_roof_arrival(args, end, &path, &arrival) || !(rw_complex_abs2(arrival.gain) >= args->least))
        return;
    double straight_m = rw_vec3_length(rw_vec3_sub(end, args->scene.source));
    rw_ray_sums_add(args->sums + item, &arrival, args->scene.wavelength_m / (4.0 * RW_PI * straight_m),
                    straight_m / RW_SPEED_OF_LIGHT_M_S, 0, args->scene.wavelength_m);
}

#endif
