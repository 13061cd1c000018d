/* From rays that have reached tiles and edges to the rays that these send on. One item (on a GPU a warp) is one ray.
 *
 * A tile sends a reflected ray to each tile it sees that lies in the cone of the image through it, an edge to each tile
 * between its Keller cones that one of its parents sees, a scatterer to every tile it sees; and so to edges, by their
 * middles, where one of the edge's parents is seen, and to points. Each target is found once: an edge from the first of
 * its parents that is seen, a tile seen by both parents of an edge from the first. Blocks of tiles that cannot be
 * reached are passed over; of the others the tiles are dealt out to the lanes. Where there are points, mirrors send
 * loose rays to more tiles, which lead to points alone: their paths are asked whole at the end. */
#ifndef RW_MODELS_TILES_SPAWN_RAYS_K_H
#define RW_MODELS_TILES_SPAWN_RAYS_K_H

#include "models/tiles/online_sight.k.h"
#include "models/tiles/tile_gate.k.h"
#include "models/tiles/tile_queue.k.h"

struct rw_spawn_rays_args {
    rw_tile_scene scene;
    rw_tile_geometry_view world; /* where there is no matrix */
    const rw_tile_ray *rays;
    int points_only;   /* rays that end at a tile and go no further are not wanted */
    uint32_t capacity; /* of children; taken may be more: then nothing beyond was kept */
    rw_tile_ray *children;
    uint32_t *used;
};

/* What one item has in hand. */
typedef struct rw_tile_spawner {
    rw_tile_ray child; /* all but its end */
    rw_tile_images images;
    uint32_t last;          /* step */
    uint32_t parents[2];    /* whose rows are walked; the second may be RW_NO_TILE */
    int to_tiles, to_edges; /* ends that are wanted */
    int wide;               /* more tiles are tried, for paths to points */
    rw_tile_gate gate, wide_gate;
    rw_tile_queue queue;
} rw_tile_spawner;

RW_RARE_FN int rw_spawner_tests_point(const rw_tile_scene *scene, const rw_tile_spawner *spawner, rw_vec3 point)
{
    return rw_tile_reaches(scene, &spawner->images, spawner->last, point);
}

/* What is left to ask where the gate is not exact. */
RW_FN int rw_spawner_reaches(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner, rw_vec3 point)
{
    return spawner->gate.exact || rw_spawner_tests_point(&args->scene, spawner, point);
}

/* Lanes that say yes each emit a ray to their own end. All lanes come here together. */
RW_FN void rw_spawner_emit(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner, int yes, uint32_t end,
                           uint32_t kind)
{
    uint32_t which = rw_lanes_which(yes), first = 0;
    if (!which)
        return;
    if (rw_lane() == 0)
        first = rw_shared_reserve_of(args->used, rw_bit_count(which));
    uint32_t at = rw_lanes_from(first, 0) + rw_bit_count(which & ((1u << rw_lane()) - 1u));
    if (!yes || at >= args->capacity)
        return;
    rw_tile_ray child = spawner->child;
    child.gathered = (uint8_t)(child.origin && kind == RW_END_TILE);
    child.end = end;
    child.end_kind = (uint8_t)(kind & 3u);
    child.origin = 0;
    args->children[at] = child;
}

/* Whether a tile of the wider row is none that the row itself leads to. */
RW_FN int rw_spawner_is_loose(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner, int already,
                              uint32_t tile)
{
    const rw_tile *to = args->scene.tiles.tiles + tile;
    double radius_m = rw_tile_radius_m(to);
    return rw_gate_wide_passes(&spawner->wide_gate, to->centre, radius_m) &&
           !(already && rw_gate_passes_round(&spawner->gate, to->centre, radius_m) &&
             rw_rays_see(&args->scene, &args->world, spawner->parents[0], tile));
}

/* The tiles of a block that the wider row would have, where there is none: of those that may be reached. */
RW_RARE_FN uint32_t rw_spawner_wide_word(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner,
                                         uint32_t block)
{
    const rw_tile *tiles = args->scene.tiles.tiles;
    uint32_t word = 0;
    for (uint32_t rest = rw_block_bits(&args->world, block); rest; rest &= rest - 1u) {
        uint32_t bit = rw_lowest_bit(rest), tile = block * RW_TILE_BLOCK + bit;
        if (rw_gate_wide_passes(&spawner->wide_gate, tiles[tile].centre, rw_tile_radius_m(tiles + tile)) &&
            rw_tiles_see_wide_now(&args->scene, &args->world, spawner->parents[0], tile))
            word |= 1u << bit;
    }
    return word;
}

/* The wider row of a tile that reflects: what may lead to points, and is no end itself. already: the row was walked. */
RW_FN void rw_spawner_wide_row(const struct rw_spawn_rays_args *args, rw_tile_spawner *spawner, int already)
{
    const rw_tile_scene *scene = &args->scene;
    uint32_t tile = spawner->parents[0], lanes = (uint32_t)rw_lane_count();
    int rows = scene->wide.firsts != 0;
    uint64_t first = rows ? scene->wide.firsts[tile] : 0,
             end = rows ? scene->wide.firsts[tile + 1] : args->world.block_count;
    rw_lanes_meet();
    if (rw_lane() == 0)
        spawner->child.loose = 1;
    rw_lanes_meet();
    for (uint64_t round = first; round < end; round += lanes) {
        uint64_t k = round + (uint64_t)rw_lane();
        uint32_t block = k >= end ? 0 : rows ? scene->wide.blocks[k] : (uint32_t)k, mask = 0;
        if (k < end && rw_gate_meets(&spawner->wide_gate, scene->blocks + block, scene->radius_m + 1e-3))
            mask = rows ? scene->wide.masks[k] : rw_spawner_wide_word(args, spawner, block);
        if (!rw_lanes_any(mask != 0))
            continue;
        rw_tile_queue_push(&spawner->queue, block, mask);
        for (uint32_t at = 0; at < spawner->queue.count; at += lanes) {
            uint32_t slot = at + (uint32_t)rw_lane();
            uint32_t to = slot < spawner->queue.count ? spawner->queue.tiles[slot] : 0;
            int yes = slot < spawner->queue.count && rw_spawner_is_loose(args, spawner, already, to);
            rw_spawner_emit(args, spawner, yes, to, RW_END_TILE);
        }
    }
}

/* Whether a tile is in one of the rows that are walked. */
RW_FN int rw_spawner_sees(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner, uint32_t tile)
{
    return rw_rays_see(&args->scene, &args->world, spawner->parents[0], tile) ||
           (spawner->parents[1] != RW_NO_TILE && rw_rays_see(&args->scene, &args->world, spawner->parents[1], tile));
}

/* Whether an edge of a tile that is seen is reached, and from no other tile. */
RW_FN int rw_spawner_reaches_edge(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner, uint32_t tile,
                                  uint32_t number)
{
    const rw_tile_edge *edge = args->scene.tiles.edges + number;
    rw_vec3 middle = rw_vec3_scale(rw_vec3_add(edge->from, edge->to), 0.5);
    if (RW_TILE_STEP(number, 1) == spawner->last ||
        !rw_gate_passes_round(&spawner->gate, middle, 0.5 * rw_vec3_length(rw_vec3_sub(edge->to, edge->from))))
        return 0;
    if (edge->tiles[0] != tile && rw_spawner_sees(args, spawner, edge->tiles[0]))
        return 0;
    return rw_spawner_reaches(args, spawner, middle);
}

/* The edges of the tiles in the queue. */
RW_FN void rw_spawner_edges(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner)
{
    const rw_tiles_view *tiles = &args->scene.tiles;
    for (uint32_t round = 0; round < spawner->queue.count; round += (uint32_t)rw_lane_count()) {
        uint32_t slot = round + (uint32_t)rw_lane(), tile = 0, edge = 0, end = 0;
        if (slot < spawner->queue.count) {
            tile = spawner->queue.tiles[slot];
            edge = tiles->edge_firsts[tile];
            end = tiles->edge_firsts[tile + 1];
        }
        for (; rw_lanes_any(edge < end); edge++) {
            uint32_t number = edge < end ? tiles->tile_edges[edge] : 0;
            int yes = edge < end && rw_spawner_reaches_edge(args, spawner, tile, number);
            rw_spawner_emit(args, spawner, yes, number, RW_END_EDGE);
        }
    }
}

/* The tiles in the queue: first those that the gate stops are dropped, then the rest is asked. */
RW_FN void rw_spawner_tiles(const struct rw_spawn_rays_args *args, rw_tile_spawner *spawner)
{
    const rw_tile *tiles = args->scene.tiles.tiles;
    uint32_t remaining = 0, lanes = (uint32_t)rw_lane_count(), count = spawner->queue.count;
    for (uint32_t round = 0; round < count; round += lanes) {
        uint32_t slot = round + (uint32_t)rw_lane(), tile = slot < count ? spawner->queue.tiles[slot] : 0;
        int yes =
            slot < count && rw_gate_passes_round(&spawner->gate, tiles[tile].centre, rw_tile_radius_m(tiles + tile));
        if (spawner->gate.exact)
            rw_spawner_emit(args, spawner, yes, tile, RW_END_TILE);
        else
            remaining = rw_tile_queue_compact(&spawner->queue, remaining, tile, yes);
    }
    for (uint32_t round = 0; round < remaining; round += lanes) {
        uint32_t slot = round + (uint32_t)rw_lane(), tile = slot < remaining ? spawner->queue.tiles[slot] : 0;
        int yes = slot < remaining && rw_spawner_reaches(args, spawner, tiles[tile].centre);
        rw_spawner_emit(args, spawner, yes, tile, RW_END_TILE);
    }
}

/* The tiles of a block that a tile sees, where there is no row: of those that may be reached or have an edge that may
 * be. but: a tile that must not see them as well. */
RW_RARE_FN uint32_t rw_spawner_word(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner,
                                    uint32_t tile, uint32_t but, uint32_t block)
{
    const rw_tiles_view *tiles = &args->scene.tiles;
    uint32_t word = 0;
    if (!rw_block_may_face(args->world.eyes + tile, args->world.blocks + block))
        return 0;
    for (uint32_t rest = rw_block_bits(&args->world, block); rest; rest &= rest - 1u) {
        uint32_t bit = rw_lowest_bit(rest), to = block * RW_TILE_BLOCK + bit;
        int edges = spawner->to_edges && tiles->edge_firsts[to + 1] > tiles->edge_firsts[to];
        if (!edges && !(spawner->to_tiles && rw_gate_passes_round(&spawner->gate, tiles->tiles[to].centre,
                                                                  rw_tile_radius_m(tiles->tiles + to))))
            continue;
        if (rw_tiles_see_now(&args->world, tile, to) && !(but != RW_NO_TILE && rw_tiles_see_now(&args->world, but, to)))
            word |= 1u << bit;
    }
    return word;
}

/* The row of a tile; but: a tile whose row was walked already. */
RW_FN void rw_spawner_row(const struct rw_spawn_rays_args *args, rw_tile_spawner *spawner, uint32_t tile, uint32_t but)
{
    const rw_tile_scene *scene = &args->scene;
    int rows = scene->sight.firsts != 0;
    uint64_t first = rows ? scene->sight.firsts[tile] : 0;
    uint64_t end = rows ? scene->sight.firsts[tile + 1] : args->world.block_count;
    double reach_m = scene->radius_m + (spawner->to_edges ? scene->reach_m : 1e-3); /* out of boxes round middles */
    for (uint64_t round = first; round < end; round += (uint64_t)rw_lane_count()) {
        uint64_t k = round + (uint64_t)rw_lane();
        uint32_t block = k >= end ? 0 : rows ? scene->sight.blocks[k] : (uint32_t)k, mask = 0;
        if (k < end && rw_gate_meets(&spawner->gate, scene->blocks + block, reach_m))
            mask = rows ? scene->sight.masks[k] : rw_spawner_word(args, spawner, tile, but, block);
        if (rows && mask && but != RW_NO_TILE)
            mask &= ~rw_tile_row_word(&scene->sight, but, block);
        if (!rw_lanes_any(mask != 0))
            continue;
        rw_tile_queue_push(&spawner->queue, block, mask);
        if (spawner->to_edges)
            rw_spawner_edges(args, spawner);
        if (spawner->to_tiles)
            rw_spawner_tiles(args, spawner);
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

RW_FN void rw_spawner_points(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner, uint32_t tile,
                             uint32_t but)
{
    const rw_tile_scene *scene = &args->scene;
    if (!scene->points)
        return;
    uint32_t end = scene->point_firsts[tile + 1];
    for (uint32_t round = scene->point_firsts[tile]; round < end; round += (uint32_t)rw_lane_count()) {
        uint32_t k = round + (uint32_t)rw_lane(), point = k < end ? scene->tile_points[k] : 0;
        int gate = k < end && (spawner->wide ? rw_gate_wide_passes(&spawner->wide_gate, scene->points[point], 1e-6)
                                             : rw_gate_passes(&spawner->gate, scene->points[point]));
        int yes = gate && !(but != RW_NO_TILE && rw_tile_has_point(scene, but, point)) &&
                  rw_spawner_reaches(args, spawner, scene->points[point]);
        rw_spawner_emit(args, spawner, yes, point, RW_END_POINT);
    }
}

/* From an edge in a face of it to the other edges of that face. Tiles of one plane do not see each other, so no row has
 * them; whether the path is there is asked where it ends. */
RW_FN void rw_spawner_faces(const struct rw_spawn_rays_args *args, const rw_tile_spawner *spawner, uint32_t from)
{
    const rw_tiles_view *tiles = &args->scene.tiles;
    const rw_tile_edge *here = tiles->edges + from;
    for (int side = 0; side < 2; side++) {
        uint32_t surface = tiles->tiles[here->tiles[side]].surface, end = tiles->face_firsts[surface + 1];
        for (uint32_t round = tiles->face_firsts[surface]; round < end; round += (uint32_t)rw_lane_count()) {
            uint32_t k = round + (uint32_t)rw_lane(), number = k < end ? tiles->face_edges[k] : from;
            const rw_tile_edge *other = tiles->edges + number;
            rw_vec3 middle = rw_vec3_scale(rw_vec3_add(other->from, other->to), 0.5);
            rw_vec3 vector = rw_vec3_sub(middle, rw_vec3_scale(rw_vec3_add(here->from, here->to), 0.5));
            int there, yes = number != from && rw_vec3_length(vector) > 1e-3 &&
                             rw_tile_face_between(here, other, rw_vec3_unit(vector), &there) != RW_FACE_NONE;
            rw_spawner_emit(args, spawner, yes, number, RW_END_EDGE);
        }
    }
}

/* The child of a ray before its end is known; 0 where the ray goes no further. */
RW_FN int rw_spawner_begin(const struct rw_spawn_rays_args *args, const rw_tile_ray *ray, rw_tile_spawner *spawner)
{
    int bends = ray->end_kind == RW_END_EDGE;
    if (ray->dead || ray->end_kind == RW_END_POINT)
        return 0;
    spawner->child = *ray;
    spawner->child.gathered = 0;
    spawner->child.astray = 0;
    spawner->last = 0xffffffffu;
    spawner->parents[0] = ray->end;
    spawner->parents[1] = RW_NO_TILE;
    spawner->gate.kind = RW_GATE_OPEN;
    spawner->gate.exact = 1;
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
    spawner->wide = args->scene.neighbours && !ray->scattered && spawner->images.bends == 0 && !bends;
    if (ray->loose)
        spawner->to_tiles = spawner->to_edges = 0;
    return 1;
}

RW_FN void rw_spawn_rays_item(const struct rw_spawn_rays_args *args, size_t item)
{
    RW_LANES_MEMORY(rw_tile_spawner, spawner);
    const rw_tile_ray *ray = args->rays + item / (size_t)rw_lane_count();
    /* where there is no more room, all of it is done anew in parts */
    int continues =
        rw_lane() == 0 && rw_shared_read(args->used) <= args->capacity && rw_spawner_begin(args, ray, spawner);
    if (!rw_lanes_any(continues))
        return;
    rw_lanes_meet();
    if (!ray->origin)
        rw_gate_init(&args->scene, &spawner->images, spawner->last, &spawner->gate);
    if (spawner->gate.kind == RW_GATE_CLOSED)
        return;
    if (spawner->wide)
        rw_gate_init_wide(&args->scene, &spawner->images, ray->end, &spawner->wide_gate);
    if (spawner->to_edges && spawner->last != 0xffffffffu && RW_TILE_STEP_BENDS(spawner->last))
        rw_spawner_faces(args, spawner, RW_TILE_STEP_INDEX(spawner->last));
    for (int i = 0; i < 2 && spawner->parents[i] != RW_NO_TILE; i++) {
        uint32_t but = i == 1 ? spawner->parents[0] : RW_NO_TILE;
        if (spawner->to_tiles || spawner->to_edges)
            rw_spawner_row(args, spawner, spawner->parents[i], but);
        rw_spawner_points(args, spawner, spawner->parents[i], but);
    }
    if (spawner->wide && spawner->child.depth_left > 0 && spawner->child.mirrors_left > 0)
        rw_spawner_wide_row(args, spawner, !ray->loose);
}

#endif
