/* What is in a scene, in numbers. */
#include "scene/scene.h"

#include "base/options.h"

#include <rasterwave/geometry.h>

#include <math.h>

static double compute_part_area(const rw_scene *scene, const rw_part *part)
{
    double area = 0;
    for (size_t i = 0; i < part->ring_count; i++)
        area += rw_ring_area(rw_ring_points(scene, part->first_ring + i), rw_ring_size(scene, part->first_ring + i));
    return area;
}

static void describe_parts(const rw_scene *scene, rw_scene_info *info)
{
    double sum = 0, built = 0;
    uint32_t previous = 0;
    info->roof_min_m = INFINITY;
    info->roof_max_m = -INFINITY;
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        info->buildings += i == 0 || part->building != previous;
        previous = part->building;
        info->walls +=
            scene->ring_first.items[part->first_ring + part->ring_count] - scene->ring_first.items[part->first_ring];
        info->roof_min_m = fmin(info->roof_min_m, part->roof_height_m);
        info->roof_max_m = fmax(info->roof_max_m, part->roof_height_m);
        sum += part->roof_height_m;
        if (part->base_height_m <= 0)
            built += compute_part_area(scene, part);
    }
    if (scene->parts.count == 0) {
        info->roof_min_m = info->roof_max_m = info->roof_mean_m = 0;
        return;
    }
    info->roof_mean_m = sum / (double)scene->parts.count;
    info->built_fraction = built / ((info->x_max_m - info->x_min_m) * (info->y_max_m - info->y_min_m));
}

rw_status rw_scene_get_info(const rw_scene *scene, rw_scene_info *out)
{
    rw_scene_info scene_info = {0}, *info = &scene_info;
    if (!scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is not committed yet");
    info->x_min_m = scene->box_min.x + scene->origin.x;
    info->y_min_m = scene->box_min.y + scene->origin.y;
    info->x_max_m = scene->box_max.x + scene->origin.x;
    info->y_max_m = scene->box_max.y + scene->origin.y;
    info->parts = scene->parts.count;
    info->panels = scene->panels.count;
    info->meshes = scene->meshes.count;
    info->triangles = scene->triangles.count / 3;
    info->materials = scene->materials.count;
    info->slabs = scene->slabs.count;
    info->surfaces = scene->surfaces.count;
    info->notes = scene->notes.count;
    info->load_s = scene->load_s;
    info->prepare_s = scene->prepare_s;
    describe_parts(scene, info);
    const rw_raster *terrain = &scene->terrain;
    info->has_terrain = terrain->values != NULL;
    info->terrain_columns = terrain->columns;
    info->terrain_rows = terrain->rows;
    for (size_t i = 0; terrain->values && i < terrain->columns * terrain->rows; i++) {
        double z = terrain->values[i];
        info->terrain_min_m = i == 0 || z < info->terrain_min_m ? z : info->terrain_min_m;
        info->terrain_max_m = i == 0 || z > info->terrain_max_m ? z : info->terrain_max_m;
    }
    return RW_ASSIGN(scene->context, &scene_info, out);
}

const char *rw_scene_material_name(const rw_scene *scene, size_t index)
{
    return index < scene->materials.count ? scene->materials.items[index].name : NULL;
}

const char *rw_scene_slab_name(const rw_scene *scene, size_t index)
{
    return index < scene->slabs.count ? scene->slabs.items[index].name : NULL;
}

const char *rw_scene_surface_name(const rw_scene *scene, size_t index)
{
    return index < scene->surfaces.count ? scene->surfaces.items[index] : NULL;
}

static rw_status no_such(const rw_scene *scene, const char *what, size_t index, size_t count)
{
    return rw_fail(scene->context, RW_BAD_CALL, "there is no %s %zu; the scene has %zu", what, index, count);
}

rw_status rw_scene_get_material(const rw_scene *scene, size_t index, rw_material *material)
{
    if (index >= scene->materials.count)
        return no_such(scene, "material", index, scene->materials.count);
    const rw_scene_material *stored = &scene->materials.items[index];
    const rw_material new_material = {.name = stored->name,
                                      .a = stored->a,
                                      .b = stored->b,
                                      .c = stored->c,
                                      .d = stored->d,
                                      .freq_min_hz = stored->freq_min_hz,
                                      .freq_max_hz = stored->freq_max_hz,
                                      .perfect_conductor = stored->perfect_conductor,
                                      .scattering = stored->scattering};
    return RW_ASSIGN(scene->context, &new_material, material);
}

rw_status rw_scene_get_layer(const rw_scene *scene, size_t slab, size_t layer, rw_layer *out, size_t *layers)
{
    if (slab >= scene->slabs.count)
        return no_such(scene, "slab", slab, scene->slabs.count);
    const rw_scene_slab *stored = &scene->slabs.items[slab];
    *layers = stored->layer_count;
    if (layer >= stored->layer_count)
        return rw_fail(scene->context, RW_BAD_CALL, "there is no layer %zu; slab %s has %zu", layer, stored->name,
                       stored->layer_count);
    const rw_layer new_layer = {.material = stored->layer_material[layer],
                                .thickness_m = stored->layer_thickness_m[layer]};
    return RW_ASSIGN(scene->context, &new_layer, out);
}

rw_status rw_scene_get_mesh(const rw_scene *scene, size_t index, rw_mesh *mesh)
{
    if (index >= scene->meshes.count)
        return no_such(scene, "mesh", index, scene->meshes.count);
    const rw_scene_mesh *stored = &scene->meshes.items[index];
    const rw_mesh new_mesh = {.name = stored->name,
                              .vertex_count = stored->vertex_count,
                              .triangle_count = stored->triangle_count,
                              .surface = scene->surfaces.items[stored->surface]};
    return RW_ASSIGN(scene->context, &new_mesh, mesh);
}

rw_status rw_scene_copy_mesh(const rw_scene *scene, size_t index, double *xyz, uint32_t *triangles)
{
    if (index >= scene->meshes.count)
        return no_such(scene, "mesh", index, scene->meshes.count);
    const rw_scene_mesh *stored = &scene->meshes.items[index];
    for (size_t i = 0; xyz && i < stored->vertex_count; i++) {
        rw_vec3 at = scene->vertices.items[stored->first_vertex + i];
        xyz[3 * i] = at.x + scene->origin.x;
        xyz[3 * i + 1] = at.y + scene->origin.y;
        xyz[3 * i + 2] = at.z;
    }
    for (size_t i = 0; triangles && i < 3 * stored->triangle_count; i++)
        triangles[i] = scene->triangles.items[3 * stored->first_triangle + i] - (uint32_t)stored->first_vertex;
    return RW_OK;
}

rw_status rw_scene_get_note(const rw_scene *scene, size_t index, rw_note *note)
{
    if (index >= scene->notes.count)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene has %zu notes, there is no number %zu",
                       scene->notes.count, index);
    const rw_scene_note_entry *entry = &scene->notes.items[index];
    const rw_note new_note = {.what = entry->what, .example = entry->example, .count = entry->count};
    return RW_ASSIGN(scene->context, &new_note, note);
}
