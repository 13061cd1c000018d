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

static void add_materials(const rw_scene *scene, rw_sha256 *hash)
{
    for (size_t i = 0; i < scene->materials.count; i++) {
        const rw_scene_material *material = &scene->materials.items[i];
        const double numbers[] = {
            material->a,           material->b,           material->c,          material->d,
            material->freq_min_hz, material->freq_max_hz, material->scattering, material->perfect_conductor};
        rw_sha256_add_string(hash, material->name);
        rw_sha256_add(hash, numbers, sizeof numbers);
    }
    for (size_t i = 0; i < scene->slabs.count; i++) {
        const rw_scene_slab *slab = &scene->slabs.items[i];
        rw_sha256_add_string(hash, slab->name);
        for (size_t k = 0; k < slab->layer_count; k++) {
            rw_sha256_add_string(hash, slab->layer_material[k]);
            rw_sha256_add(hash, &slab->layer_thickness_m[k], sizeof slab->layer_thickness_m[k]);
        }
    }
    for (size_t i = 0; i < scene->surfaces.count; i++)
        rw_sha256_add_string(hash, scene->surfaces.items[i]);
}

static void add_surfaces(const rw_scene *scene, rw_sha256 *hash)
{
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        const uint32_t numbers[2] = {part->building, part->surface};
        rw_sha256_add(hash, numbers, sizeof numbers);
    }
    for (size_t i = 0; i < scene->panels.count; i++)
        rw_sha256_add(hash, &scene->panels.items[i].surface, sizeof scene->panels.items[i].surface);
    for (size_t i = 0; i < scene->meshes.count; i++) {
        const rw_scene_mesh *mesh = &scene->meshes.items[i];
        const uint64_t numbers[5] = {mesh->first_vertex, mesh->vertex_count, mesh->first_triangle, mesh->triangle_count,
                                     mesh->surface};
        rw_sha256_add(hash, numbers, sizeof numbers);
    }
}

static void add_foliage(const rw_scene *scene, rw_sha256 *hash)
{
    const rw_raster *foliage = &scene->foliage;
    const double frame[4] = {foliage->x0_m, foliage->y0_m, foliage->dx_m, foliage->dy_m};
    const uint64_t size[2] = {foliage->columns, foliage->rows};
    if (!foliage->values)
        return;
    rw_sha256_add(hash, frame, sizeof frame);
    rw_sha256_add(hash, size, sizeof size);
    rw_sha256_add(hash, foliage->values, foliage->columns * foliage->rows * sizeof *foliage->values);
}

void rw_scene_content_add(const rw_scene *scene, rw_sha256 *hash)
{
    const uint64_t geometry = rw_scene_identity(scene);
    const double numbers[4] = {scene->flat, scene->no_ground, scene->has_floor ? scene->floor_m : 0,
                               scene->region_roof_m};
    rw_sha256_add(hash, &geometry, sizeof geometry);
    rw_sha256_add(hash, numbers, sizeof numbers);
    rw_sha256_add_string(hash, scene->crs);
    add_materials(scene, hash);
    add_surfaces(scene, hash);
    add_foliage(scene, hash);
}

uint64_t rw_scene_hash(const rw_scene *scene)
{
    return scene->committed ? rw_scene_identity(scene) : 0;
}
