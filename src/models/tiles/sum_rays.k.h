/* What rays bring: one item is one ray, added to the sums of its tile or point and to what its tile may scatter.
 *
 * Sums are whole numbers, relative to free space over the straight line, so that the order of rays does not matter. A
 * ray whose incident power is below the threshold dies here. A ray whose exact path to the middle of its tile is not
 * there brings nothing, and lives: beside the middle it may be. At a point all of the path is asked, its legs too; at
 * a tile the first leg alone. */
#ifndef RW_MODELS_TILES_SUM_RAYS_K_H
#define RW_MODELS_TILES_SUM_RAYS_K_H

#include "models/tiles/tile_path.k.h"

/* What has reached a tile by rays of the same counts: |E|^2 times rw_patch_side, relative to free space. */
typedef struct rw_tile_incident {
    int64_t theta, phi;
    int64_t delay;   /* times both, in nanoseconds beyond the straight line */
    int64_t x, y, z; /* direction of travel, times both */
} rw_tile_incident;

struct rw_sum_rays_args {
    rw_tile_scene scene;
    rw_tile_geometry_view world;
    rw_tile_ray *rays;
    double min_gain; /* received over transmitted power */
    rw_ray_sums *tile_sums, *point_sums;
    rw_tile_incident *incidents; /* of each count of interactions, of bends and each tile; NULL: nothing scatters */
    uint32_t max_bends;          /* of a ray */
};

/* Row of the incidents that a ray adds to. */
RW_FN size_t rw_tile_group(const rw_tile_ray *ray, uint32_t max_bends)
{
    return (size_t)ray->count * (max_bends + 1u) + (max_bends - ray->bends_left);
}

RW_FN void rw_sum_incident(const struct rw_sum_rays_args *args, const rw_tile_ray *ray, const rw_tile_arrival *arrival,
                           double straight_m)
{
    const rw_construction *wall = rw_tile_wall(&args->scene, ray->end);
    double cosine = -rw_vec3_dot(arrival->ray.direction, args->scene.tiles.tiles[ray->end].normal);
    if (!(wall->smooth < 1.0) || !(cosine > 0))
        return;
    double factor = rw_patch_side(wall, cosine, args->scene.wavelength_m) * straight_m * straight_m;
    double late_ns = (arrival->length_m - straight_m) * (1e9 / RW_SPEED_OF_LIGHT_M_S);
    rw_tile_incident *to =
        args->incidents + rw_tile_group(ray, args->max_bends) * args->scene.tiles.tile_count + ray->end;
    rw_shared_add_wide(&to->theta, rw_ray_fixed(arrival->theta * factor, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&to->phi, rw_ray_fixed(arrival->phi * factor, RW_RAY_AMPLITUDE_UNITS));
    double power = (arrival->theta + arrival->phi) * factor;
    rw_shared_add_wide(&to->x, rw_ray_fixed(arrival->ray.direction.x * power, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&to->y, rw_ray_fixed(arrival->ray.direction.y * power, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&to->z, rw_ray_fixed(arrival->ray.direction.z * power, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&to->delay,
                       rw_ray_fixed((arrival->theta + arrival->phi) * factor * late_ns, RW_RAY_POWER_UNITS));
}

/* Whether the first leg of a ray to a tile is free: of the first tile the transmitter may see no more than a corner.
 * The legs behind it are between tiles whose middles see each other. */
RW_FN int rw_sum_first_free(const struct rw_sum_rays_args *args, const rw_tile_ray *ray, const rw_vec3 *points)
{
    rw_vec3 to = ray->count > 0 ? points[0] : rw_tile_point(args->scene.tiles.tiles + ray->end);
    if (ray->scattered)
        return 1;
    if (ray->count > 0 && !rw_tile_point_off_surface(&args->scene, &args->world, ray, 0, &to))
        return rw_line_clear_of_walls(&args->world, to, args->scene.source);
    return rw_line_clear(&args->world, to, args->scene.source);
}

/* Whether the exact path of a ray is there. An edge has no sum: its rays are asked where they end. */
RW_FN int rw_sum_path_holds(const struct rw_sum_rays_args *args, const rw_tile_ray *ray, rw_vec3 end)
{
    rw_vec3 points[RW_TILE_DEPTH_MAX];
    int point = ray->end_kind == RW_END_POINT;
    if (ray->end_kind == RW_END_EDGE || (point && ray->count == 0))
        return 1;
    return rw_tile_ray_points(&args->scene, ray, end, points) &&
           (!point || rw_tile_points_owned(&args->scene, ray, points)) &&
           rw_tile_points_valid(&args->scene, &args->world, ray, points) &&
           (point ? rw_tile_legs_free(&args->scene, &args->world, ray, points, end)
                  : rw_sum_first_free(args, ray, points));
}

RW_FN void rw_sum_rays_item(const struct rw_sum_rays_args *args, size_t item)
{
    rw_tile_ray ray = args->rays[item];
    rw_tile_arrival arrival;
    rw_vec3 end = rw_tile_ray_end(&args->scene, &ray);
    /* A tile whose middle lies in a null of the antenna may be lit beside it: what the transmitter sees lives. */
    double threshold = ray.count > 0 ? args->min_gain : 0.0;
    int loose = ray.loose && ray.end_kind == RW_END_TILE;
    int arrives = rw_tile_arrive(&args->scene, &ray, end, &arrival);
    if (arrives)
        rw_tile_arrival_attenuate(&args->scene, &ray, end, &arrival);
    if (arrives ? !(arrival.incident >= threshold) : !loose) {
        args->rays[item].dead = 1;
        return;
    }
    if (loose)
        return;
    if (!rw_sum_path_holds(args, &ray, end)) {
        args->rays[item].dead = (uint8_t)((ray.end_kind == RW_END_POINT) & 1);
        args->rays[item].astray = 1;
        return;
    }
    double straight_m = rw_vec3_length(rw_vec3_sub(end, args->scene.source));
    rw_ray_sums *sums = ray.end_kind == RW_END_POINT ? args->point_sums + ray.end : args->tile_sums + ray.end;
    if (ray.end_kind != RW_END_EDGE && !ray.gathered)
        rw_ray_sums_add(sums, &arrival.ray, args->scene.wavelength_m / (4.0 * RW_PI * straight_m),
                        straight_m / RW_SPEED_OF_LIGHT_M_S, ray.end_kind == RW_END_POINT ? &args->scene.near : 0,
                        args->scene.wavelength_m);
    if (ray.end_kind == RW_END_TILE && !ray.scattered && ray.depth_left > 0 && args->incidents)
        rw_sum_incident(args, &ray, &arrival, straight_m);
}

#endif
