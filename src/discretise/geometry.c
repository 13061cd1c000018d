/* The geometry of a committed scene for programs that show it (geometry.h), and sections of it. */
#include <rasterwave/geometry.h>

#include "base/options.h"
#include "base/parallel.h"
#include "discretise/bvh/cross_meshes.k.h"
#include "discretise/prepared.h"
#include "scene/scene.h"

#include <math.h>

#define PARTS_MAX 16 /* over one place */

static rw_status check_committed(const rw_scene *scene)
{
    return scene->committed ? RW_OK : rw_fail(scene->context, RW_BAD_CALL, "the scene is not committed yet");
}

rw_status rw_scene_get_geometry(const rw_scene *scene, rw_scene_geometry *geometry)
{
    RW_TRY(check_committed(scene));
    const rw_raster *terrain = &scene->terrain;
    size_t rings = scene->ring_first.count ? scene->ring_first.count - 1 : 0;
    const rw_scene_geometry scene_geometry = {.origin_x_m = scene->origin.x,
                                              .origin_y_m = scene->origin.y,
                                              .points_m = (const double *)scene->points.items,
                                              .point_count = scene->points.count,
                                              .ring_first = scene->ring_first.items,
                                              .ring_count = rings,
                                              .part_count = scene->parts.count,
                                              .panel_count = scene->panels.count,
                                              .vertices_m = (const double *)scene->vertices.items,
                                              .vertex_count = scene->vertices.count,
                                              .triangles = scene->triangles.items,
                                              .triangle_count = scene->triangles.count / 3,
                                              .terrain_m = terrain->values,
                                              .terrain_columns = terrain->columns,
                                              .terrain_rows = terrain->rows,
                                              .terrain_x0_m = terrain->x0_m,
                                              .terrain_y0_m = terrain->y0_m,
                                              .terrain_dx_m = terrain->dx_m,
                                              .terrain_dy_m = terrain->dy_m};
    return RW_ASSIGN(scene->context, &scene_geometry, geometry);
}

rw_status rw_scene_get_part(const rw_scene *scene, size_t index, rw_scene_part *part)
{
    RW_TRY(check_committed(scene));
    if (index >= scene->parts.count)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene has %zu parts, there is no number %zu",
                       scene->parts.count, index);
    const rw_part *found = &scene->parts.items[index];
    const rw_scene_part scene_part = {.building = found->building,
                                      .first_ring = found->first_ring,
                                      .ring_count = found->ring_count,
                                      .ground_m = found->ground_m,
                                      .bottom_m = found->bottom_m,
                                      .top_m = found->top_m,
                                      .surface = scene->surfaces.items[found->surface]};
    return RW_ASSIGN(scene->context, &scene_part, part);
}

rw_status rw_scene_get_panel(const rw_scene *scene, size_t index, rw_panel *panel)
{
    RW_TRY(check_committed(scene));
    if (index >= scene->panels.count)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene has %zu walls, there is no number %zu",
                       scene->panels.count, index);
    const rw_scene_panel *found = &scene->panels.items[index];
    const rw_panel new_panel = {.x0_m = found->p0.x + scene->origin.x,
                                .y0_m = found->p0.y + scene->origin.y,
                                .x1_m = found->p1.x + scene->origin.x,
                                .y1_m = found->p1.y + scene->origin.y,
                                .bottom_m = found->bottom_m,
                                .top_m = found->top_m,
                                .surface = scene->surfaces.items[found->surface]};
    return RW_ASSIGN(scene->context, &new_panel, panel);
}

rw_status rw_scene_get_foliage(const rw_scene *scene, rw_raster *heights)
{
    RW_TRY(check_committed(scene));
    rw_raster found = scene->foliage;
    return RW_ASSIGN(scene->context, &found, heights);
}

int rw_scene_has_ground(const rw_scene *scene)
{
    return !scene->no_ground;
}

rw_status rw_scene_profile(const rw_scene *scene, double x0_m, double y0_m, double x1_m, double y1_m, size_t count,
                           double *ground_m, double *top_m)
{
    RW_TRY(check_committed(scene));
    if (!(isfinite(x0_m) && isfinite(y0_m) && isfinite(x1_m) && isfinite(y1_m)))
        return rw_fail(scene->context, RW_BAD_CALL, "the ends of a profile must be finite");
    for (size_t i = 0; i < count; i++) {
        double fraction = count > 1 ? (double)i / (double)(count - 1) : 0;
        rw_vec2 at = {x0_m + fraction * (x1_m - x0_m) - scene->origin.x,
                      y0_m + fraction * (y1_m - y0_m) - scene->origin.y};
        uint32_t parts[PARTS_MAX];
        size_t found = rw_parts_over(scene, scene->prepared, at, parts, PARTS_MAX);
        ground_m[i] = top_m[i] = rw_scene_ground_m(scene, at);
        for (size_t k = 0; k < found && k < PARTS_MAX; k++)
            top_m[i] = fmax(top_m[i], scene->parts.items[parts[k]].top_m);
    }
    return RW_OK;
}

typedef struct enclosure_work {
    const rw_scene *scene;
    const double *points_m;
    unsigned char *enclosures;
} enclosure_work;

static void find_enclosures(void *user, size_t begin, size_t end)
{
    const enclosure_work *work = user;
    const rw_scene *scene = work->scene;
    const rw_wall_grid *grid = &scene->prepared->grid;
    for (size_t i = begin; i < end; i++) {
        const double *point_m = work->points_m + 3 * i;
        rw_vec2 at = {point_m[0] - scene->origin.x, point_m[1] - scene->origin.y};
        double z_m = rw_scene_ground_m(scene, at) + point_m[2];
        uint32_t part;
        unsigned char found = RW_ENCLOSURE_NONE;
        if (rw_parts_at(scene, scene->prepared, at, z_m, &part, 1) > 0)
            found |= RW_ENCLOSURE_BUILDING;
        rw_vec3 local = rw_vec3_of(at.x - grid->centre.x, at.y - grid->centre.y, z_m);
        if (grid->view.node_count && rw_inside_meshes(&grid->view, local, rw_bvh_outside(&grid->view)))
            found |= RW_ENCLOSURE_MESH;
        work->enclosures[i] = found;
    }
}

rw_status rw_scene_find_enclosures(const rw_scene *scene, const double *points_m, size_t count,
                                   unsigned char *enclosures)
{
    RW_TRY(check_committed(scene));
    for (size_t i = 0; i < 3 * count; i++)
        if (!isfinite(points_m[i]))
            return rw_fail(scene->context, RW_BAD_CALL, "point %zu: its coordinates and height must be finite", i / 3);
    enclosure_work work = {scene, points_m, enclosures};
    return rw_parallel(scene->context, count, 256, find_enclosures, &work);
}
