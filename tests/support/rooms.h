/* Rooms of plane surfaces for tests of rays, and every path by exhaustive enumeration: each sequence of surfaces is
 * tried for each receiver, nothing is rendered. */
#ifndef RW_TESTS_ROOMS_H
#define RW_TESTS_ROOMS_H

#include "bench/enumerate_paths.h"
#include "discretise/prepared.h"
#include "models/rays/ray_view.h"
#include "models/images/images.h"
#include "shapes.h"

/* Closed box from (0, 0, 0) to (x, y, z) as a mesh of twelve triangles. */
static inline void add_room(rw_context *context, rw_scene *scene, double x, double y, double z, const char *surface)
{
    const double corners[] = {0, 0, 0, x, 0, 0, x, y, 0, 0, y, 0, 0, 0, z, x, 0, z, x, y, z, 0, y, z};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 5, 1, 0, 4, 5,
                                  1, 6, 2, 1, 5, 6, 2, 7, 3, 2, 6, 7, 3, 4, 0, 3, 7, 4};
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = "box",
                    .xyz = corners,
                    .vertex_count = 8,
                    .triangles = triangles,
                    .triangle_count = 12,
                    .surface = surface};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
}

static inline void add_deck(rw_context *context, rw_scene *scene, double x, double y, double z, const char *surface)
{
    const double corners[] = {0, 0, z, x, 0, z, x, y, z, 0, y, z};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = "level",
                    .xyz = corners,
                    .vertex_count = 4,
                    .triangles = triangles,
                    .triangle_count = 2,
                    .surface = surface};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
}

static inline void add_panel_of(rw_context *context, rw_scene *scene, double x0, double y0, double x1, double y1,
                                double bottom, double top, const char *surface)
{
    rw_panel panel = {.size = sizeof panel,
                      .x0_m = x0,
                      .y0_m = y0,
                      .x1_m = x1,
                      .y1_m = y1,
                      .bottom_m = bottom,
                      .top_m = top,
                      .surface = surface};
    assert_ok(context, rw_scene_add_panel(scene, &panel));
}

static inline void add_slab_of(rw_context *context, rw_scene *scene, const char *name, const char *material,
                               double thickness_m)
{
    rw_layer layer = {sizeof(rw_layer), material, thickness_m};
    rw_slab slab = {sizeof slab, name, &layer, 1};
    assert_ok(context, rw_scene_add_slab(scene, &slab));
}

/* Two rooms of 5 x 4 x 3 m side by side; the wall between is a slab with a window of glass; a door stands open. */
static inline rw_scene *two_rooms(rw_context *context)
{
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    add_slab_of(context, scene, "wall", "itu_brick", 0.12);
    add_slab_of(context, scene, "glass", "itu_glass", 0.006);
    add_slab_of(context, scene, "deck", "itu_concrete", 0.2);
    add_panel_of(context, scene, 0, 0, 10, 0, 0, 3, "wall");
    add_panel_of(context, scene, 10, 0, 10, 4, 0, 3, "wall");
    add_panel_of(context, scene, 10, 4, 0, 4, 0, 3, "wall");
    add_panel_of(context, scene, 0, 4, 0, 0, 0, 3, "wall");
    /* x = 5: wall to y = 1, window from 1 to 2.5 between 0.9 and 2.1 m, door from 3 to 3.8 */
    add_panel_of(context, scene, 5, 0, 5, 1, 0, 3, "wall");
    add_panel_of(context, scene, 5, 1, 5, 2.5, 0, 0.9, "wall");
    add_panel_of(context, scene, 5, 1, 5, 2.5, 0.9, 2.1, "glass");
    add_panel_of(context, scene, 5, 1, 5, 2.5, 2.1, 3, "wall");
    add_panel_of(context, scene, 5, 2.5, 5, 3, 0, 3, "wall");
    add_panel_of(context, scene, 5, 3, 5, 3.8, 2, 3, "wall");
    add_panel_of(context, scene, 5, 3.8, 5, 4, 0, 3, "wall");
    add_deck(context, scene, 10, 4, 0, "deck");
    add_deck(context, scene, 10, 4, 3, "deck");
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* Points of the scene's own frame to the frame of its rays. */
static inline rw_vec3 in_frame(const rw_scene *scene, double x, double y, double z)
{
    rw_vec2 centre = scene->prepared->grid.centre;
    return rw_vec3_of(x - scene->origin.x - centre.x, y - scene->origin.y - centre.y, z);
}

/* Rays of a scene with a transmitter in it. */
static inline rw_ray_scene rays_as(rw_context *context, const rw_scene *scene, rw_ray_scene_request request,
                                   const char *antenna_name, double roll_deg, rw_vec3 source)
{
    rw_ray_scene rays;
    rw_antenna *antenna;
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.roll_deg = roll_deg;
    request.exact = 1;
    assert_ok(context, rw_ray_scene_create_as(scene, &request, &rays));
    assert_ok(context, rw_antenna_create(context, antenna_name, &antenna));
    assert_ok(context, rw_ray_scene_set_transmitter(&rays, antenna, &transmitter, source));
    rw_antenna_destroy(antenna);
    return rays;
}

static inline rw_ray_scene rays_of(rw_context *context, const rw_scene *scene, double freq_hz, const char *antenna_name,
                                   double roll_deg, rw_vec3 source)
{
    return rays_as(context, scene, (rw_ray_scene_request){.freq_hz = freq_hz}, antenna_name, roll_deg, source);
}

static inline rw_points points_of(rw_context *context, const rw_vec3 *places, size_t count)
{
    rw_points points;
    uint32_t *cells = calloc(count, sizeof *cells);
    for (size_t i = 0; i < count; i++)
        cells[i] = (uint32_t)i;
    assert_ok(context, rw_points_create(context, places, cells, count, &points));
    free(cells);
    return points;
}

#endif
