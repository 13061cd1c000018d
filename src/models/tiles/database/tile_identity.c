/* What tiles are, in hashes: whether a database belongs to them, and what of it still holds after a change. Keys are of
 * world coordinates in tenths of a millimetre, so that they stay where other buildings come. */
#include "models/tiles/database/database.h"

#include "base/maths/hash.h"
#include "base/memory.h"
#include "discretise/identity.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t round_to_fine_units(double value_m)
{
    return (int64_t)llround(value_m * 1e4);
}

static void fill_keys(const rw_scene *scene, const rw_tiles *tiles, uint64_t *keys)
{
    rw_vec2 centre = scene->prepared->grid.centre;
    for (uint32_t i = 0; i < tiles->view.tile_count; i++) {
        const rw_tile *tile = &tiles->view.tiles[i];
        const int64_t position[6] = {round_to_fine_units(tile->centre.x + centre.x + scene->origin.x),
                                     round_to_fine_units(tile->centre.y + centre.y + scene->origin.y),
                                     round_to_fine_units(tile->centre.z),
                                     round_to_fine_units(1e2 * tile->normal.x),
                                     round_to_fine_units(1e2 * tile->normal.y),
                                     round_to_fine_units(1e2 * tile->normal.z)};
        keys[i] = rw_hash(RW_HASH_START, position, sizeof position);
    }
}

static void enter_point(const rw_scene *scene, rw_vec2 point, rw_tile_obstacle *obstacle)
{
    double x = point.x + scene->origin.x, y = point.y + scene->origin.y;
    const int64_t position[2] = {round_to_fine_units(x), round_to_fine_units(y)};
    obstacle->key = rw_hash(obstacle->key, position, sizeof position);
    obstacle->west = fmin(obstacle->west, x);
    obstacle->east = fmax(obstacle->east, x);
    obstacle->south = fmin(obstacle->south, y);
    obstacle->north = fmax(obstacle->north, y);
}

static rw_tile_obstacle begin_obstacle(double bottom_m, double top_m)
{
    const int64_t heights[2] = {round_to_fine_units(fmax(bottom_m, -1e6)), round_to_fine_units(top_m)};
    return (rw_tile_obstacle){
        rw_hash(RW_HASH_START, heights, sizeof heights), INFINITY, INFINITY, -INFINITY, -INFINITY, top_m};
}

static void fill_obstacles(const rw_scene *scene, rw_tile_obstacle *obstacles)
{
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        obstacles[i] = begin_obstacle(part->base_height_m <= 0 ? -INFINITY : part->bottom_m, part->top_m);
        for (size_t r = 0; r < part->ring_count; r++)
            for (size_t k = 0; k < rw_ring_size(scene, part->first_ring + r); k++)
                enter_point(scene, rw_ring_points(scene, part->first_ring + r)[k], &obstacles[i]);
    }
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        rw_tile_obstacle *obstacle = &obstacles[scene->parts.count + i];
        *obstacle = begin_obstacle(panel->bottom_m, panel->top_m);
        enter_point(scene, panel->p0, obstacle);
        enter_point(scene, panel->p1, obstacle);
    }
}

rw_status rw_tile_identity_compute(const rw_scene *scene, const rw_tiles *tiles, rw_tile_identity *identity)
{
    rw_context *context = scene->context;
    rw_tile_subject *subject = &identity->subject;
    *identity = (rw_tile_identity){0};
    memset(subject, 0, sizeof *subject);
    subject->tile_count = tiles->view.tile_count;
    subject->obstacle_count = scene->parts.count + scene->panels.count;
    RW_TRY(rw_array_create(context, subject->tile_count, sizeof *identity->keys, "tiles", &identity->keys));
    rw_status status = rw_array_create(context, subject->obstacle_count, sizeof *identity->obstacles, "buildings",
                                       &identity->obstacles);
    if (status != RW_OK) {
        rw_tile_identity_free(identity);
        return status;
    }
    fill_keys(scene, tiles, identity->keys);
    fill_obstacles(scene, identity->obstacles);
    identity->scene = rw_scene_identity(scene);
    subject->terrain = rw_scene_terrain_identity(scene);
    subject->keys_hash = rw_hash(RW_HASH_START, identity->keys, subject->tile_count * sizeof *identity->keys);
    subject->area_m2 = tiles->options.area_m2;
    subject->min_m = tiles->options.min_m;
    subject->min_m2 = tiles->options.min_m2;
    subject->band_rows = RW_TILE_BAND_STEP;
    subject->border_quarter = (uint32_t)tiles->options.border_quarter;
    subject->triangles = (uint32_t)tiles->options.triangles;
    snprintf(subject->ground, sizeof subject->ground, "%s", tiles->options.ground ? tiles->options.ground : "");
    return RW_OK;
}

void rw_tile_identity_free(rw_tile_identity *identity)
{
    free(identity->keys);
    free(identity->obstacles);
    *identity = (rw_tile_identity){0};
}
