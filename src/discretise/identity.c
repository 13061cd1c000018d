#include "discretise/identity.h"

#include "base/maths/hash.h"
#include "discretise/prepared.h"

/* Adds count elements of an array to a hash, which may be NULL where there are none. */
#define HASH_ARRAY(hash, items, count) hash_bytes((hash), (items), (count) * sizeof *(items))

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    return size > 0 ? rw_hash(hash, bytes, size) : hash;
}

uint64_t rw_scene_terrain_identity(const rw_scene *scene)
{
    const rw_raster *terrain = &scene->terrain;
    uint64_t hash = RW_HASH_START;
    if (terrain->values) {
        const double frame[4] = {terrain->x0_m + scene->origin.x, terrain->y0_m + scene->origin.y, terrain->dx_m,
                                 terrain->dy_m};
        const uint64_t size[2] = {terrain->columns, terrain->rows};
        hash = rw_hash(hash, frame, sizeof frame);
        hash = rw_hash(hash, size, sizeof size);
        hash = HASH_ARRAY(hash, terrain->values, terrain->columns * terrain->rows);
    }
    hash = HASH_ARRAY(hash, scene->vertices.items, scene->vertices.count);
    return HASH_ARRAY(hash, scene->triangles.items, scene->triangles.count);
}

static uint64_t hash_building_parts(const rw_scene *scene, uint64_t hash)
{
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        const double heights[3] = {part->base_height_m, part->bottom_m, part->top_m};
        hash = rw_hash(hash, heights, sizeof heights);
        for (size_t ring = part->first_ring; ring < part->first_ring + part->ring_count; ring++)
            hash = HASH_ARRAY(hash, rw_ring_points(scene, ring), rw_ring_size(scene, ring));
    }
    return hash;
}

static uint64_t hash_panels(const rw_scene *scene, uint64_t hash)
{
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        const double numbers[6] = {panel->p0.x, panel->p0.y, panel->p1.x, panel->p1.y, panel->bottom_m, panel->top_m};
        hash = rw_hash(hash, numbers, sizeof numbers);
    }
    return hash;
}

uint64_t rw_scene_identity(const rw_scene *scene)
{
    const rw_prepared *prepared = scene->prepared;
    const rw_wall_grid *grid = &prepared->grid;
    const double frame[4] = {scene->origin.x, scene->origin.y, grid->centre.x, grid->centre.y};
    uint64_t hash = rw_hash(rw_scene_terrain_identity(scene), frame, sizeof frame);
    hash = hash_building_parts(scene, hash);
    hash = hash_panels(scene, hash);
    hash = HASH_ARRAY(hash, grid->view.exact, grid->view.wall_count);
    return HASH_ARRAY(hash, prepared->corners.items, prepared->corners.count);
}

uint64_t rw_scene_hash(const rw_scene *scene)
{
    return scene->committed ? rw_scene_identity(scene) : 0;
}
