/* The scene for the page: outlines, heights, walls, meshes and terrain in steps of 0.1 m. */
#include "commands/share/share.h"

#include <rasterwave/geometry.h>

#include <math.h>
#include <stdlib.h>

#define STEP_M 0.1
#define TERRAIN_POSTS_MAX 400000

/* Integers that are collected before they are packed. */
struct integers {
    int32_t *values;
    size_t count, capacity;
    int failed;
};

static void add_integer(struct integers *list, double value)
{
    if (list->count == list->capacity && !list->failed) {
        size_t capacity = list->capacity ? 2 * list->capacity : 1024;
        int32_t *grown = realloc(list->values, capacity * sizeof *grown);
        list->failed = grown == NULL;
        list->values = grown ? grown : list->values;
        list->capacity = grown ? capacity : list->capacity;
    }
    if (!list->failed)
        list->values[list->count++] = (int32_t)fmax(-2e9, fmin(2e9, isnan(value) ? 0 : rint(value)));
}

static void add_length(struct integers *list, double length_m)
{
    add_integer(list, length_m / STEP_M);
}

static int write_integers(struct json *json, const char *key, struct integers *list, size_t stride)
{
    struct bit_writer writer = {.failed = list->failed};
    pack_integers(&writer, list->values, list->count, stride);
    free(list->values);
    json_object(json, key);
    json_count(json, "count", list->count);
    int exit_status = write_packed(json, "bits", &writer);
    json_object_end(json);
    return exit_status;
}

static int write_prisms(struct json *json, const rw_scene *scene, const rw_scene_geometry *geometry)
{
    struct integers sizes = {0}, points = {0}, rings = {0}, heights = {0};
    for (size_t i = 0; i < geometry->part_count; i++) {
        rw_scene_part part = {.size = sizeof part};
        if (rw_scene_get_part(scene, i, &part) != RW_OK)
            continue;
        add_integer(&rings, (double)part.ring_count);
        add_length(&heights, part.bottom_m);
        add_length(&heights, part.top_m);
        for (size_t ring = part.first_ring; ring < part.first_ring + part.ring_count; ring++) {
            add_integer(&sizes, (double)(geometry->ring_first[ring + 1] - geometry->ring_first[ring]));
            for (size_t k = geometry->ring_first[ring]; k < geometry->ring_first[ring + 1]; k++) {
                add_length(&points, geometry->points_m[2 * k]);
                add_length(&points, geometry->points_m[2 * k + 1]);
            }
        }
    }
    int exit_status = write_integers(json, "rings_of_parts", &rings, 1);
    exit_status |= write_integers(json, "heights", &heights, 2);
    exit_status |= write_integers(json, "points_of_rings", &sizes, 1);
    exit_status |= write_integers(json, "points", &points, 2);
    return exit_status;
}

static int write_other_bodies(struct json *json, const rw_scene *scene, const rw_scene_geometry *geometry)
{
    struct integers panels = {0}, vertices = {0}, triangles = {0};
    for (size_t i = 0; i < geometry->panel_count; i++) {
        rw_panel panel = {.size = sizeof panel};
        if (rw_scene_get_panel(scene, i, &panel) != RW_OK)
            continue;
        add_length(&panels, panel.x0_m - geometry->origin_x_m);
        add_length(&panels, panel.y0_m - geometry->origin_y_m);
        add_length(&panels, panel.x1_m - geometry->origin_x_m);
        add_length(&panels, panel.y1_m - geometry->origin_y_m);
        add_length(&panels, panel.bottom_m);
        add_length(&panels, panel.top_m);
    }
    for (size_t i = 0; i < 3 * geometry->vertex_count; i++)
        add_length(&vertices, geometry->vertices_m[i]);
    for (size_t i = 0; i < 3 * geometry->triangle_count; i++)
        add_integer(&triangles, geometry->triangles[i]);
    int exit_status = write_integers(json, "panels", &panels, 6);
    exit_status |= write_integers(json, "vertices", &vertices, 3);
    exit_status |= write_integers(json, "triangles", &triangles, 3);
    return exit_status;
}

/* Every n-th post of a large terrain, in both directions. */
static int write_terrain_posts(struct json *json, const rw_scene_geometry *geometry)
{
    size_t columns = geometry->terrain_columns, rows = geometry->terrain_rows, step = 1;
    struct integers heights = {0};
    if (!geometry->terrain_m)
        return 0;
    while (((columns - 1) / step + 1) * ((rows - 1) / step + 1) > TERRAIN_POSTS_MAX)
        step++;
    for (size_t row = 0; row < rows; row += step)
        for (size_t column = 0; column < columns; column += step)
            add_length(&heights, (double)geometry->terrain_m[row * columns + column]);
    json_object(json, "terrain");
    json_count(json, "nx", (columns - 1) / step + 1);
    json_count(json, "ny", (rows - 1) / step + 1);
    json_number(json, "x0", geometry->terrain_x0_m);
    json_number(json, "y0", geometry->terrain_y0_m);
    json_number(json, "dx", (double)step * geometry->terrain_dx_m);
    json_number(json, "dy", (double)step * geometry->terrain_dy_m);
    int exit_status = write_integers(json, "heights", &heights, 1);
    json_object_end(json);
    return exit_status;
}

static int write_bounds(struct call *call, struct share_plan *plan)
{
    rw_map_info map = {.size = sizeof map};
    rw_scene_info info = {.size = sizeof info};
    struct json *json = &plan->json;
    const struct share_settings *settings = call->settings;
    TRY_RW(call, rw_map_get_info(plan->map, &map));
    TRY_RW(call, rw_scene_get_info(plan->request.scene, &info));
    double x1_m = map.x0_m + (double)map.columns * map.res_m, y1_m = map.y0_m + (double)map.rows * map.res_m;
    int has_scene = !settings->without_scene && info.x_max_m > info.x_min_m;
    json_object(json, "bounds");
    json_number(json, "x0", has_scene ? fmin(map.x0_m, info.x_min_m) : map.x0_m);
    json_number(json, "y0", has_scene ? fmin(map.y0_m, info.y_min_m) : map.y0_m);
    json_number(json, "x1", has_scene ? fmax(x1_m, info.x_max_m) : x1_m);
    json_number(json, "y1", has_scene ? fmax(y1_m, info.y_max_m) : y1_m);
    json_number(json, "zmin", has_scene && info.has_terrain ? info.terrain_min_m : 0);
    json_number(json, "zmax", has_scene && info.has_terrain ? info.terrain_max_m + 50 : 50);
    json_object_end(json);
    json_number(json, "rx_height", map.rx_height_m);
    return 0;
}

int share_scene(struct call *call, struct share_plan *plan)
{
    const struct share_settings *settings = call->settings;
    struct json *json = &plan->json;
    rw_scene_geometry geometry = {.size = sizeof geometry};
    TRY(write_bounds(call, plan));
    if (settings->without_scene)
        return 0;
    TRY_RW(call, rw_scene_get_geometry(plan->request.scene, &geometry));
    json_object(json, "scene");
    json_number(json, "step", STEP_M);
    json_list(json, "origin");
    json_number(json, NULL, geometry.origin_x_m);
    json_number(json, NULL, geometry.origin_y_m);
    json_list_end(json);
    TRY(write_prisms(json, plan->request.scene, &geometry));
    TRY(write_other_bodies(json, plan->request.scene, &geometry));
    TRY(write_terrain_posts(json, &geometry));
    json_object_end(json);
    fprintf(plan->contents_stream, "The scene in steps of %g m: %zu prisms of buildings, %zu walls, %zu triangles%s.\n",
            STEP_M, geometry.part_count, geometry.panel_count, geometry.triangle_count,
            geometry.terrain_m ? ", the terrain" : "");
    return 0;
}
