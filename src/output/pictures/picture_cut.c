/* A plane in space in a picture: the lines in which it cuts walls, floors and meshes, and where transmitters are before
 * or behind it. */
#include "output/pictures/picture.h"

#include "output/maps/map.h"
#include "scene/scene.h"

#include <math.h>

typedef struct plane_cut {
    rw_picture *picture;
    rw_plane plane;
    rw_vec2 origin; /* of the scene's local frame */
    double width_px;
} plane_cut;

/* Place in the picture of the foot of a point on the plane; world coordinates. */
static rw_vec2 foot_pixel(const rw_picture *picture, const rw_plane *plane, rw_vec3 point)
{
    double scale = picture->pixels_per_cell / picture->map->info.res_m;
    rw_vec3 away = rw_vec3_sub(point, plane->corner);
    return rw_vec2_of(picture->map_box.x0 + rw_vec3_dot(away, plane->along_u) * scale,
                      picture->map_box.y1 - rw_vec3_dot(away, plane->along_v) * scale);
}

/* The segment in which a convex polygon, in the scene's local frame, is cut. */
static void cut_polygon(const plane_cut *cutter, const rw_vec3 *corners, int count)
{
    rw_vec3 ends[2];
    int found = 0;
    for (int i = 0; i < count && found < 2; i++) {
        rw_vec3 a = corners[i], b = corners[(i + 1) % count];
        a = rw_vec3_of(a.x + cutter->origin.x, a.y + cutter->origin.y, a.z);
        b = rw_vec3_of(b.x + cutter->origin.x, b.y + cutter->origin.y, b.z);
        double before = rw_vec3_dot(rw_vec3_sub(a, cutter->plane.corner), cutter->plane.normal);
        double after = rw_vec3_dot(rw_vec3_sub(b, cutter->plane.corner), cutter->plane.normal);
        if ((before > 0) == (after > 0))
            continue;
        ends[found++] = rw_vec3_add(a, rw_vec3_scale(rw_vec3_sub(b, a), before / (before - after)));
    }
    if (found == 2)
        rw_canvas_stroke(&cutter->picture->canvas, foot_pixel(cutter->picture, &cutter->plane, ends[0]),
                         foot_pixel(cutter->picture, &cutter->plane, ends[1]), cutter->width_px);
}

static void cut_wall(const plane_cut *cutter, rw_vec2 p0, rw_vec2 p1, double bottom_m, double top_m)
{
    const rw_vec3 corners[4] = {rw_vec3_of(p0.x, p0.y, bottom_m), rw_vec3_of(p1.x, p1.y, bottom_m),
                                rw_vec3_of(p1.x, p1.y, top_m), rw_vec3_of(p0.x, p0.y, top_m)};
    cut_polygon(cutter, corners, 4);
}

static void cut_building_parts(const plane_cut *cutter, const rw_scene *scene)
{
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        for (size_t ring = part->first_ring; ring < part->first_ring + part->ring_count; ring++) {
            const rw_vec2 *points = rw_ring_points(scene, ring);
            size_t count = rw_ring_size(scene, ring);
            for (size_t k = 0; k < count; k++)
                cut_wall(cutter, points[k], points[(k + 1) % count], part->bottom_m, part->top_m);
        }
    }
}

void rw_picture_draw_cut(rw_picture *picture, const rw_scene *scene)
{
    const rw_colour outline = {62, 64, 74};
    plane_cut cutter = {.picture = picture,
                        .plane = rw_plane_of(picture->map->info.plane_m),
                        .origin = scene->origin,
                        .width_px = 1.6 * picture->unit_px};
    rw_canvas_clip(&picture->canvas, picture->map_box);
    cut_building_parts(&cutter, scene);
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        cut_wall(&cutter, panel->p0, panel->p1, panel->bottom_m, panel->top_m);
    }
    for (size_t i = 0; i + 2 < scene->triangles.count; i += 3) {
        const uint32_t *corner = scene->triangles.items + i;
        const rw_vec3 corners[3] = {scene->vertices.items[corner[0]], scene->vertices.items[corner[1]],
                                    scene->vertices.items[corner[2]]};
        cut_polygon(&cutter, corners, 3);
    }
    rw_canvas_ink(&picture->canvas, outline, 0.75);
    rw_canvas_unclip(&picture->canvas);
}

rw_vec2 rw_picture_foot(const rw_picture *picture, const rw_transmitter *transmitter)
{
    rw_plane plane = rw_plane_of(picture->map->info.plane_m);
    return foot_pixel(picture, &plane, rw_vec3_of(transmitter->x_m, transmitter->y_m, transmitter->height_m));
}
