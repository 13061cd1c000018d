/* From rays that have reached tiles and edges to the rays that these send on. One item is a share of one ray's row.
 *
 * A tile sends a reflected ray to each tile it sees that lies in the cone of the image through it, an edge to each tile
 * between its Keller cones that one of its parents sees, a scatterer to every tile it sees; and so to edges, by their
 * middles, where one of the edge's parents is seen, and to points. Each target is found once: an edge from the first of
 * its parents that is seen, a tile seen by both parents of an edge from the first. Blocks of tiles that lie outside the
 * cone of a mirror are passed over. */
#ifndef RW_MODELS_TILES_SPAWN_RAYS_K_H
#define RW_MODELS_TILES_SPAWN_RAYS_K_H

#include "models/tiles/tile_ray.k.h"

struct rw_spawn_rays_args {
    rw_tile_scene scene;
    const rw_tile_ray *rays;
    int points_only;   /* rays that end at a tile and go no further are not wanted */
    uint32_t lanes;    /* items that share a ray */
    uint32_t capacity; /* of children; taken may be more: then nothing beyond was kept */
    rw_tile_ray *children;
    uint32_t *taken;
};

/* The four planes of a cone from an image through a tile, as normals that point out of it. */
typedef struct rw_tile_cone {
    rw_vec3 apex, sides[4];
} rw_tile_cone;

/* What one item has in hand. */
typedef struct rw_tile_spawner {
    const struct rw_spawn_rays_args *args;
    rw_tile_ray child; /* all but its end */
    rw_tile_images images;
    uint32_t last;          /* step */
    uint32_t parents[2];    /* whose rows are walked; the second may be RW_NO_TILE */
    int to_tiles, to_edges; /* ends that are wanted */
} rw_tile_spawner;

RW_FN rw_tile_cone rw_tile_cone_of(const rw_tile *tile, rw_vec3 apex)
{
    rw_tile_cone cone;
    cone.apex = apex;
    for (int i = 0; i < 4; i++) {
        rw_vec3 a = rw_vec3_sub(rw_tile_corner(tile, i), apex);
        rw_vec3 b = rw_vec3_sub(rw_tile_corner(tile, (i + 1) % 4), apex);
        rw_vec3 side = rw_vec3_cross(b, a);
        double inside = rw_vec3_dot(side, rw_vec3_sub(tile->centre, apex));
        cone.sides[i] = inside > 0 ? rw_vec3_scale(side, -1.0) : side;
    }
    return cone;
}

/* Whether points that are not farther than reach_m from the middles of a block's tiles may lie in the cone. */
RW_FN int rw_tile_cone_meets(const rw_tile_cone *cone, const rw_tile_block *block, double reach_m)
{
    for (int i = 0; i < 4; i++) {
        rw_vec3 side = cone->sides[i];
        double x = (side.x > 0 ? block->low[0] : block->high[0]) - cone->apex.x;
        double y = (side.y > 0 ? block->low[1] : block->high[1]) - cone->apex.y;
        double z = (side.z > 0 ? block->low[2] : block->high[2]) - cone->apex.z;
        double slack = reach_m * (fabs(side.x) + fabs(side.y) + fabs(side.z));
        if (side.x * x + side.y * y + side.z * z > slack)
            return 0;
    }
    return 1;
}

RW_FN int rw_spawner_reaches(const rw_tile_spawner *spawner, rw_vec3 point)
{
    return spawner->child.origin || rw_tile_reaches(&spawner->args->scene, &spawner->images, spawner->last, point);
}

RW_FN void rw_spawner_emit(const rw_tile_spawner *spawner, uint32_t end, uint32_t kind)
{
    uint32_t at = rw_shared_take_of(spawner->args->taken, 1);
    if (at >= spawner->args->capacity)
        return;
    rw_tile_ray *child = spawner->args->children + at;
    *child = spawner->child;
    child->end = end;
    child->end_kind = (uint8_t)(kind & 3u);
    child->gathered = (uint8_t)(child->origin && kind == RW_END_TILE);
    child->origin = 0;
}

/* Whether a tile is in one of the rows that are walked. */
RW_FN int rw_spawner_sees(const rw_tile_spawner *spawner, uint32_t tile)
{
    const rw_tile_sight_view *sight = &spawner->args->scene.sight;
    return rw_tile_sees(sight, spawner->parents[0], tile) ||
           (spawner->parents[1] != RW_NO_TILE && rw_tile_sees(sight, spawner->parents[1], tile));
}

/* The edges of a tile that is seen. */
RW_FN void rw_spawner_edges(const rw_tile_spawner *spawner, uint32_t tile)
{
    const rw_tiles_view *tiles = &spawner->args->scene.tiles;
    for (uint32_t k = tiles->edge_firsts[tile]; k < tiles->edge_firsts[tile + 1]; k++) {
        uint32_t number = tiles->tile_edges[k];
        const rw_tile_edge *edge = tiles->edges + number;
        rw_vec3 middle = rw_vec3_scale(rw_vec3_add(edge->from, edge->to), 0.5);
        if (RW_TILE_STEP(number, 1) == spawner->last || !rw_spawner_reaches(spawner, middle))
            continue;
        if (edge->tiles[0] != tile && rw_spawner_sees(spawner, edge->tiles[0]))
            continue;
        rw_spawner_emit(spawner, number, RW_END_EDGE);
    }
}

/* One word of a row: tiles of a block. */
RW_FN void rw_spawner_word(const rw_tile_spawner *spawner, uint32_t block, uint32_t mask)
{
    const rw_tile_scene *scene = &spawner->args->scene;
    for (; mask; mask &= mask - 1u) {
        uint32_t tile = block * RW_TILE_BLOCK + rw_lowest_bit(mask);
        if (spawner->to_tiles && rw_spawner_reaches(spawner, scene->tiles.tiles[tile].centre))
            rw_spawner_emit(spawner, tile, RW_END_TILE);
        if (spawner->to_edges)
            rw_spawner_edges(spawner, tile);
    }
}

/* Tiles of a block that a tile sees. */
RW_FN uint32_t rw_tile_row_word(const rw_tile_sight_view *sight, uint32_t tile, uint32_t block)
{
    uint64_t low = sight->firsts[tile], end = sight->firsts[tile + 1], high = end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (sight->blocks[middle] < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && sight->blocks[low] == block ? sight->masks[low] : 0u;
}

/* The row of a tile; but: a tile whose row was walked already. */
RW_FN void rw_spawner_row(const rw_tile_spawner *spawner, uint32_t tile, uint32_t but, uint32_t lane,
                          const rw_tile_cone *cone)
{
    const rw_tile_scene *scene = &spawner->args->scene;
    uint64_t end = scene->sight.firsts[tile + 1];
    double reach_m = spawner->to_edges ? scene->reach_m : 1e-3; /* edges stick out of the boxes round middles */
    for (uint64_t k = scene->sight.firsts[tile] + lane; k < end; k += spawner->args->lanes) {
        uint32_t block = scene->sight.blocks[k], mask = scene->sight.masks[k];
        if (cone && !rw_tile_cone_meets(cone, scene->blocks + block, reach_m))
            continue;
        if (but != RW_NO_TILE)
            mask &= ~rw_tile_row_word(&scene->sight, but, block);
        rw_spawner_word(spawner, block, mask);
    }
}

/* Whether a point is among those that see a tile. */
RW_FN int rw_tile_has_point(const rw_tile_scene *scene, uint32_t tile, uint32_t point)
{
    uint32_t low = scene->point_firsts[tile], high = scene->point_firsts[tile + 1], end = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scene->tile_points[middle] < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && scene->tile_points[low] == point;
}

RW_FN void rw_spawner_points(const rw_tile_spawner *spawner, uint32_t tile, uint32_t but, uint32_t lane)
{
    const rw_tile_scene *scene = &spawner->args->scene;
    if (!scene->points)
        return;
    uint32_t end = scene->point_firsts[tile + 1];
    for (uint32_t k = scene->point_firsts[tile] + lane; k < end; k += spawner->args->lanes) {
        uint32_t point = scene->tile_points[k];
        if (but != RW_NO_TILE && rw_tile_has_point(scene, but, point))
            continue;
        if (rw_spawner_reaches(spawner, scene->points[point]))
            rw_spawner_emit(spawner, point, RW_END_POINT);
    }
}

/* The child of a ray before its end is known; 0 where the ray goes no further. */
RW_FN int rw_spawner_begin(const struct rw_spawn_rays_args *args, const rw_tile_ray *ray, rw_tile_spawner *spawner)
{
    int bends = ray->end_kind == RW_END_EDGE;
    if (ray->dead || ray->end_kind == RW_END_POINT)
        return 0;
    spawner->args = args;
    spawner->child = *ray;
    spawner->child.gathered = 0;
    spawner->last = 0xffffffffu;
    spawner->parents[0] = ray->end;
    spawner->parents[1] = RW_NO_TILE;
    if (bends) {
        spawner->parents[0] = args->scene.tiles.edges[ray->end].tiles[0];
        spawner->parents[1] = args->scene.tiles.edges[ray->end].tiles[1];
        if (spawner->parents[1] == spawner->parents[0])
            spawner->parents[1] = RW_NO_TILE;
    }
    if (!ray->origin) {
        if (ray->depth_left == 0 || (bends ? ray->bends_left == 0 : ray->mirrors_left == 0))
            return 0;
        spawner->last = RW_TILE_STEP(ray->end, bends);
        spawner->child.steps[spawner->child.count++] = spawner->last;
        spawner->child.depth_left = (uint8_t)((ray->depth_left - 1) & 15);
        spawner->child.bends_left = (uint8_t)((ray->bends_left - bends) & 15);
        spawner->child.mirrors_left = (uint8_t)(ray->mirrors_left - !bends);
        spawner->images = rw_tile_images_of(&args->scene, &spawner->child);
    }
    /* what a scatterer sends to tiles and ends there is gathered: gather_scattered.k.h */
    spawner->to_tiles = spawner->child.depth_left > 0 || !(ray->origin || args->points_only);
    spawner->to_edges = spawner->child.depth_left > 0 && spawner->child.bends_left > 0;
    return 1;
}

RW_FN void rw_spawn_rays_item(const struct rw_spawn_rays_args *args, size_t item)
{
    rw_tile_spawner spawner;
    const rw_tile_ray *ray = args->rays + item / args->lanes;
    uint32_t lane = (uint32_t)(item % args->lanes);
    if (!rw_spawner_begin(args, ray, &spawner))
        return;
    int cone = !ray->origin && ray->end_kind == RW_END_TILE && spawner.images.bends == 0;
    rw_tile_cone mirror;
    if (cone)
        mirror = rw_tile_cone_of(args->scene.tiles.tiles + ray->end, spawner.images.source);
    for (int i = 0; i < 2 && spawner.parents[i] != RW_NO_TILE; i++) {
        uint32_t but = i == 1 ? spawner.parents[0] : RW_NO_TILE;
        if (spawner.to_tiles || spawner.to_edges)
            rw_spawner_row(&spawner, spawner.parents[i], but, lane, cone ? &mirror : NULL);
        rw_spawner_points(&spawner, spawner.parents[i], but, lane);
    }
}

#endif
