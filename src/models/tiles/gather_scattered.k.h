/* What all scattering tiles send straight to a tile: one item (on a GPU a warp) is one tile that
 * receives.
 *
 * A tile of a rough wall scatters all that has reached it, by whatever ray, in the same way, so that a bounce of all
 * tiles at once is a sparse matrix times a vector: the rows of visibility are read from the receiving side, which is
 * the same by symmetry, and nothing is listed. */
#ifndef RW_MODELS_TILES_GATHER_SCATTERED_K_H
#define RW_MODELS_TILES_GATHER_SCATTERED_K_H

#include "models/tiles/online_sight.k.h"
#include "models/tiles/tile_queue.k.h"

struct rw_gather_scattered_args {
    rw_tile_scene scene;
    rw_tile_geometry_view world;  /* where there is no matrix */
    const rw_tile_scatterer *lit; /* of each tile: the sum of its scatterers; theta and phi 0 where there is none */
    double min_gain;              /* received over transmitted power */
    rw_ray_sums *sums;
};

/* What trees and air leave of the power from a tile to another. */
RW_RARE_FN double rw_gather_medium_gain(const rw_tile_scene *scene, rw_vec3 from, rw_vec3 end)
{
    rw_medium_path path = rw_medium_start();
    path.length_m = rw_vec3_length(rw_vec3_sub(from, scene->source));
    rw_medium_go(&scene->medium, &path, from, end);
    return pow(10.0, -0.1 * rw_medium_loss_db(&scene->medium, &path, rw_vec3_length(rw_vec3_sub(end, scene->source))));
}

/* One pair of tiles. */
RW_FN int rw_gather_arrival(const rw_tile_scene *scene, const rw_tile_scatterer *from, rw_vec3 end,
                            rw_ray_arrival *arrival, double *incident)
{
    const rw_tile *tile = scene->tiles.tiles + from->tile;
    rw_vec3 vector = rw_vec3_sub(end, tile->centre);
    double path_m = rw_vec3_length(vector), scale = scene->wavelength_m / (4.0 * RW_PI * path_m);
    rw_vec3 direction = rw_vec3_scale(vector, 1.0 / path_m);
    double cosine = rw_vec3_dot(direction, tile->normal);
    if (!(cosine > 0))
        return 0;
    const rw_construction *wall = rw_tile_wall(scene, from->tile);
    double sent = rw_patch_roughness(wall) * (double)tile->area_m2 * rw_patch_side(wall, cosine, scene->wavelength_m);
    sent *= rw_scatter_lobe_ratio(&scene->lobe, tile->normal, from->incoming, direction);
    rw_complex theta, phi;
    rw_theta_phi_components(rw_pattern_vector(&scene->receiver, rw_vec3_scale(direction, -1.0)), direction, &theta,
                            &phi);
    double received = from->theta * rw_complex_abs2(theta) + from->phi * rw_complex_abs2(phi);
    if (scene->medium.counts)
        sent *= rw_gather_medium_gain(scene, tile->centre, end);
    arrival->gain = rw_complex_of(scale * sqrt(sent * received), 0.0);
    arrival->delay_s = from->delay_s + path_m / RW_SPEED_OF_LIGHT_M_S;
    arrival->direction = direction;
    arrival->diffuse = 1;
    *incident = scale * scale * sent * (from->theta + from->phi);
    return 1;
}

/* What the tiles in the queue send to the end; lanes have shares of it. */
RW_FN void rw_gather_queue(const struct rw_gather_scattered_args *args, const rw_tile_queue *queue, rw_vec3 end,
                           double straight_m, rw_ray_moments *moments)
{
    const rw_tile_scene *scene = &args->scene;
    double free_gain = scene->wavelength_m / (4.0 * RW_PI * straight_m);
    for (uint32_t i = (uint32_t)rw_lane(); i < queue->count; i += (uint32_t)rw_lane_count()) {
        const rw_tile_scatterer *from = args->lit + queue->tiles[i];
        rw_ray_arrival arrival;
        double incident;
        if (from->theta + from->phi > 0 && rw_gather_arrival(scene, from, end, &arrival, &incident) &&
            incident >= args->min_gain)
            rw_ray_moments_add(moments, &arrival, free_gain, straight_m / RW_SPEED_OF_LIGHT_M_S);
    }
}

RW_FN rw_ray_moments rw_moments_of_lanes(rw_ray_moments moments)
{
    moments.re = rw_lanes_sum(moments.re);
    moments.im = rw_lanes_sum(moments.im);
    moments.power = rw_lanes_sum(moments.power);
    moments.diffuse = rw_lanes_sum(moments.diffuse);
    moments.delay = rw_lanes_sum(moments.delay);
    moments.delay_squared = rw_lanes_sum(moments.delay_squared);
    moments.azimuth_x = rw_lanes_sum(moments.azimuth_x);
    moments.azimuth_y = rw_lanes_sum(moments.azimuth_y);
    moments.elevation_x = rw_lanes_sum(moments.elevation_x);
    moments.elevation_y = rw_lanes_sum(moments.elevation_y);
    moments.count = rw_lanes_sum(moments.count);
    return moments;
}

/* The tiles of a block that scatter and are seen from a tile, where there is no matrix. */
RW_RARE_FN uint32_t rw_gather_word(const struct rw_gather_scattered_args *args, uint32_t tile, uint32_t block)
{
    uint32_t word = 0;
    for (uint32_t rest = rw_block_bits(&args->world, block); rest; rest &= rest - 1u) {
        uint32_t bit = rw_lowest_bit(rest), from = block * RW_TILE_BLOCK + bit;
        if (args->lit[from].theta + args->lit[from].phi > 0 && rw_tiles_see_now(&args->world, tile, from))
            word |= 1u << bit;
    }
    return word;
}

RW_FN void rw_gather_scattered_item(const struct rw_gather_scattered_args *args, size_t item)
{
    RW_LANES_MEMORY(rw_tile_queue, queue);
    const rw_tile_scene *scene = &args->scene;
    size_t tile = item / (size_t)rw_lane_count();
    rw_vec3 end = scene->tiles.tiles[tile].centre;
    double straight_m = rw_vec3_length(rw_vec3_sub(end, scene->source));
    rw_ray_moments moments = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    int rows = scene->sight.firsts != 0;
    uint64_t first = rows ? scene->sight.firsts[tile] : 0,
             last = rows ? scene->sight.firsts[tile + 1] : args->world.block_count;
    for (uint64_t round = first; round < last; round += (uint64_t)rw_lane_count()) {
        uint64_t k = round + (uint64_t)rw_lane();
        uint32_t block = k >= last ? 0 : rows ? scene->sight.blocks[k] : (uint32_t)k, mask = 0;
        if (k < last)
            mask = rows ? scene->sight.masks[k] : rw_gather_word(args, (uint32_t)tile, block);
        rw_tile_queue_push(queue, block, mask);
        rw_gather_queue(args, queue, end, straight_m, &moments);
    }
    moments = rw_moments_of_lanes(moments);
    if (rw_lane() == 0 && moments.count > 0.0)
        rw_ray_sums_add_moments(args->sums + tile, &moments);
}

#endif
