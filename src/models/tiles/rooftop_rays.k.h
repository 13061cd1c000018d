/* The path over the roofs beside the rays between tiles: one item is one tile or point.
 *
 * Lu et al. (2019, section IV.C) name what goes over more roofs than rays have diffractions as their model's weakness.
 * What does not see the transmitter gets one path more, by Vogler's integral over the main edges of the profile
 * (models/roofs), or by name over its upper hull with a polynomial for each deflection (Rick and Kuhlen 2010, equations
 * (18) to (20)). Its phase is not known; it adds by power. */
#ifndef RW_MODELS_TILES_ROOFTOP_RAYS_K_H
#define RW_MODELS_TILES_ROOFTOP_RAYS_K_H

#include "mechanisms/rooftop/over_rooftop.k.h"
#include "field/paths/free_space.k.h"
#include "mechanisms/rooftop/roof_path.k.h"
#include "models/tiles/tile_ray.k.h"

struct rw_roof_rays_args {
    rw_tile_scene scene;
    rw_wall_grid_view grid;
    int polynomial, vogler; /* neither: sight alone is noted */
    rw_deflection roof;     /* of the polynomial */
    float wavelength_m;     /* of Vogler's integral, and the loss of the facade behind the receiver */
    float facade_db;
    double min_gain; /* received over transmitted power, by the polynomial */
    int to_points;   /* 1: points; 0: tiles */
    rw_ray_sums *sums;
};

/* Deflection points in the order of the hull, receiver first; and the way over them. */
RW_FN double rw_rooftop_path_db(const struct rw_roof_rays_args *args, rw_vec3 end, const rw_sight *sight,
                                rw_roof_path *path, double *length_m)
{
    rw_vec3 source = args->scene.source;
    double wavelength_m = args->scene.wavelength_m, straight_m = rw_vec3_length(rw_vec3_sub(end, source));
    if (!args->vogler) {
        rw_roof_path_find(&args->grid, sight, path);
        double deflected_db = rw_roof_deflections_db(path, sight, args->roof, length_m);
        return deflected_db + rw_free_space_loss_db(*length_m, wavelength_m);
    }
    rw_roof_source from = {source, args->wavelength_m, args->facade_db};
    rw_main_edges edges;
    float excess_db = rw_over_rooftop_db(&args->grid, &from, end, 0, &edges);
    path->count = 0;
    for (int i = edges.count - 1; i >= 0; i--) {
        float t = 1.0f - edges.x_m[i] / edges.length_m;
        if (!(edges.h_m[i] > rw_main_string_m(&edges, i)))
            continue;
        path->t[path->count] = t;
        path->z[path->count++] = edges.h_m[i] + sight->z + t * sight->dz;
    }
    *length_m = edges.count ? rw_main_edges_length_m(&edges, end.z - source.z) : straight_m;
    return (double)excess_db + rw_free_space_loss_db(straight_m, wavelength_m);
}

/* What comes over the roofs to an end that does not see the transmitter. */
RW_FN void rw_roof_arrival(const struct rw_roof_rays_args *args, rw_vec3 end, const rw_sight *sight, rw_roof_path *path,
                           rw_ray_arrival *arrival)
{
    rw_vec3 source = args->scene.source, vector = rw_vec3_sub(end, source);
    double length_m, loss_db = rw_rooftop_path_db(args, end, sight, path, &length_m);
    if (args->scene.medium.counts)
        loss_db += rw_medium_roof_db(&args->scene.medium, &args->grid, end, source, length_m);
    double sent = rw_vec3c_abs2(rw_pattern_vector(&args->scene.transmitter, rw_vec3_unit(vector)));
    double last_t = path->count ? (double)path->t[0] : 1.0, last_z = path->count ? (double)path->z[0] : source.z;
    arrival->direction = rw_vec3_unit(rw_vec3_of(last_t * vector.x, last_t * vector.y, end.z - last_z));
    double received = rw_vec3c_abs2(rw_pattern_vector(&args->scene.receiver, rw_vec3_scale(arrival->direction, -1.0)));
    arrival->gain = rw_complex_of(sqrt(sent * received) * pow(10.0, -0.05 * loss_db), 0.0);
    arrival->delay_s = length_m / RW_SPEED_OF_LIGHT_M_S;
    arrival->diffuse = 1;
}

/* Whether it counts: Vogler's always does. */
RW_FN int rw_roof_counts(const struct rw_roof_rays_args *args, const rw_ray_arrival *arrival)
{
    return args->vogler || (args->polynomial && rw_complex_abs2(arrival->gain) >= args->min_gain);
}

RW_FN void rw_roof_rays_item(const struct rw_roof_rays_args *args, size_t item)
{
    rw_roof_path path;
    rw_ray_arrival arrival;
    rw_vec3 end = args->to_points ? args->scene.points[item] : rw_tile_point(args->scene.tiles.tiles + item);
    rw_sight sight = rw_sight_of(&args->grid, end, args->scene.source);
    rw_ray_sums *sums = args->sums + item;
    sums->sight = rw_march_clear(&args->grid, &sight);
    if (sums->sight || !(args->vogler || args->polynomial))
        return;
    rw_roof_arrival(args, end, &sight, &path, &arrival);
    if (!rw_roof_counts(args, &arrival))
        return;
    double straight_m = rw_vec3_length(rw_vec3_sub(end, args->scene.source));
    double free_gain = args->scene.wavelength_m / (4.0 * RW_PI * straight_m);
    rw_ray_sums_add(sums, &arrival, free_gain, straight_m / RW_SPEED_OF_LIGHT_M_S, 0, args->scene.wavelength_m);
    sums->over_roofs = rw_ray_fixed(rw_complex_abs2(arrival.gain) / (free_gain * free_gain), RW_RAY_AMPLITUDE_UNITS);
}

#endif
