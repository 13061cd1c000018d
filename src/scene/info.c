/* What is in a scene, in numbers. */
#include "scene/scene.h"

#include "base/options.h"

#include <math.h>

static double part_area(const rw_scene *scene, const rw_part *part)
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
            built += part_area(scene, part);
    }
    if (scene->parts.count == 0) {
        info->roof_min_m = info->roof_max_m = info->roof_mean_m = 0;
        return;
    }
    info->roof_mean_m = sum / (double)scene->parts.count;
    info->built_share = built / ((info->x_max_m - info->x_min_m) * (info->y_max_m - info->y_min_m));
}

rw_status rw_scene_get_info(const rw_scene *scene, rw_scene_info *out)
{
    rw_scene_info made = {0}, *info = &made;
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
    return RW_GIVE(scene->context, &made, out);
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

rw_status rw_scene_get_note(const rw_scene *scene, size_t index, rw_note *note)
{
    if (index >= scene->notes.count)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene has %zu notes, there is no number %zu",
                       scene->notes.count, index);
    const rw_scene_note_entry *entry = &scene->notes.items[index];
    const rw_note made = {.what = entry->what, .example = entry->example, .count = entry->count};
    return RW_GIVE(scene->context, &made, note);
}
