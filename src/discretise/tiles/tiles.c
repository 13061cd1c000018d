#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rw_tile_options_init(rw_tile_options *options)
{
    *options = (rw_tile_options){.area_m2 = 100,
                                 .min_m = 0.5,
                                 .min_m2 = 1,
                                 .ground = "itu_medium_dry_ground",
                                 .box = {-INFINITY, -INFINITY, INFINITY, INFINITY}};
}

rw_status rw_tile_add_surface(rw_tile_maker *maker, rw_tile_surface surface)
{
    RW_TRY(RW_ARRAY_RESERVE(maker->scene->context, maker->surfaces, 1, "surfaces of tiles"));
    maker->surfaces.items[maker->surfaces.count++] = surface;
    return RW_OK;
}

rw_status rw_tile_add(rw_tile_maker *maker, rw_vec3 centre, rw_vec3 half_u, rw_vec3 half_v)
{
    rw_context *context = maker->scene->context;
    if (maker->tiles.count >= RW_NO_TILE - RW_TILE_BLOCK)
        return rw_fail(context, RW_TOO_LARGE, "more than 2^32 tiles; raise tile-area");
    RW_TRY(RW_ARRAY_RESERVE(context, maker->tiles, 1, "tiles"));
    rw_vec3 normal = rw_vec3_cross(half_u, half_v);
    double quarter_m2 = rw_vec3_length(normal);
    maker->tiles.items[maker->tiles.count++] = (rw_tile){.centre = centre,
                                                         .normal = rw_vec3_scale(normal, 1 / quarter_m2),
                                                         .half_u = {(float)half_u.x, (float)half_u.y, (float)half_u.z},
                                                         .half_v = {(float)half_v.x, (float)half_v.y, (float)half_v.z},
                                                         .area_m2 = (float)(4 * quarter_m2),
                                                         .surface = (uint32_t)(maker->surfaces.count - 1)};
    return RW_OK;
}

int rw_tile_filled(const rw_tile_maker *maker, rw_vec2 at, double z_m)
{
    uint32_t parts[16];
    size_t count = rw_tile_parts_over(maker, at, parts, 16);
    for (size_t i = 0; i < count; i++)
        if (rw_part_fills(&maker->scene->parts.items[parts[i]], z_m))
            return 1;
    return 0;
}

int rw_tile_covered(const rw_tile_maker *maker, rw_vec2 at, double z_m, uint32_t own_part)
{
    uint32_t parts[16];
    size_t count = rw_tile_parts_over(maker, at, parts, 16);
    for (size_t i = 0; i < count; i++) {
        const rw_part *part = &maker->scene->parts.items[parts[i]];
        if (parts[i] != own_part && rw_part_fills(part, z_m))
            return 1;
        /* On a slope the ground inside an outline may rise above the roof. */
        if (own_part == RW_NO_TILE && part->base_height_m <= 0)
            return 1;
    }
    return 0;
}

static rw_status check_options(rw_context *context, const rw_tile_options *options)
{
    if (!(options->area_m2 >= 0.01 && options->area_m2 <= 1e8))
        return rw_fail(context, RW_BAD_CALL, "tiles of %g m2; 0.01 to 100 000 000 m2 are possible", options->area_m2);
    if (!(options->min_m >= 0.01) || !(options->min_m2 >= 0))
        return rw_fail(context, RW_BAD_CALL, "walls are tiled from %g m and %g m2 on; the least are 0.01 m and 0 m2",
                       options->min_m, options->min_m2);
    if (options->border_quarter < 0 || options->border_quarter > 6)
        return rw_fail(context, RW_BAD_CALL, "tiles at borders are to be quartered %d times; 0 to 6 are possible",
                       options->border_quarter);
    return RW_OK;
}

static rw_status name_materials(const rw_scene *scene, rw_tiles *tiles)
{
    size_t count = scene->surfaces.count;
    RW_TRY(rw_array_create(scene->context, count + 1, sizeof *tiles->materials, "materials", &tiles->materials));
    for (size_t i = 0; i < count; i++)
        tiles->materials[i] = scene->surfaces.items[i];
    tiles->materials[count] = tiles->options.ground;
    tiles->material_count = count + (tiles->options.ground != NULL);
    return RW_OK;
}

static rw_status cut_scene_tiles(rw_tile_maker *maker)
{
    RW_TRY(rw_tile_index_parts(maker));
    RW_TRY(rw_tile_walls(maker));
    RW_TRY(rw_tile_roofs(maker));
    RW_TRY(rw_tile_ground(maker));
    RW_TRY(rw_tile_edges(maker));
    RW_TRY(rw_tile_meshes(maker));
    RW_TRY(rw_tile_triangles(maker));
    return rw_tile_order(maker);
}

/* Which edges each tile is a parent of: counted, then filled. */
static rw_status index_edges(rw_context *context, rw_tiles_view *view)
{
    uint32_t *firsts, *of_tile;
    RW_TRY(rw_array_create(context, (size_t)view->tile_count + 2, sizeof *firsts, "edges of tiles", &firsts));
    view->edge_firsts = firsts;
    RW_TRY(rw_array_create(context, 2 * (size_t)view->edge_count + 1, sizeof *of_tile, "edges of tiles", &of_tile));
    view->tile_edges = of_tile;
    for (uint32_t i = 0; i < view->edge_count; i++)
        for (int side = 0; side < 2; side++)
            if (side == 0 || view->edges[i].tiles[1] != view->edges[i].tiles[0])
                firsts[view->edges[i].tiles[side] + 2]++;
    for (uint32_t i = 2; i < view->tile_count + 2; i++)
        firsts[i] += firsts[i - 1];
    for (uint32_t i = 0; i < view->edge_count; i++)
        for (int side = 0; side < 2; side++)
            if (side == 0 || view->edges[i].tiles[1] != view->edges[i].tiles[0])
                of_tile[firsts[view->edges[i].tiles[side] + 1]++] = i;
    return RW_OK;
}

/* Which edges each wall and roof has: between them waves run in its face. */
static rw_status index_faces(rw_context *context, rw_tiles_view *view)
{
    uint32_t *firsts, *of_face;
    RW_TRY(rw_array_create(context, (size_t)view->surface_count + 2, sizeof *firsts, "edges of faces", &firsts));
    view->face_firsts = firsts;
    RW_TRY(rw_array_create(context, 2 * (size_t)view->edge_count + 1, sizeof *of_face, "edges of faces", &of_face));
    view->face_edges = of_face;
    for (int filling = 0; filling < 2; filling++) {
        for (uint32_t i = 0; i < view->edge_count; i++)
            for (int side = 0; side < 2; side++) {
                uint32_t surface = view->tiles[view->edges[i].tiles[side]].surface;
                if (view->surfaces[surface].kind == RW_TILE_GROUND)
                    continue;
                if (filling)
                    of_face[firsts[surface + 1]++] = i;
                else
                    firsts[surface + 2]++;
            }
        for (uint32_t i = 2; !filling && i < view->surface_count + 2; i++)
            firsts[i] += firsts[i - 1];
    }
    return RW_OK;
}

static void release_maker(rw_tile_maker *maker)
{
    free(maker->tiles.items);
    free(maker->surfaces.items);
    free(maker->edges.items);
    free(maker->sides.items);
    free(maker->tops.items);
    free(maker->roof_first);
    free(maker->cell_first);
    free(maker->cell_parts);
}

static rw_status move_tiles_from_maker(rw_tile_maker *maker, rw_tiles *tiles)
{
    rw_context *context = maker->scene->context;
    if (maker->tiles.count == 0)
        return rw_fail(context, RW_BAD_INPUT, "the scene has no walls, roofs or ground that tiles could be cut from");
    if (maker->edges.count >= UINT32_MAX / 2)
        return rw_fail(context, RW_TOO_LARGE, "more than 2^31 edges of tiles");
    tiles->view = (rw_tiles_view){.tiles = maker->tiles.items,
                                  .surfaces = maker->surfaces.items,
                                  .edges = maker->edges.items,
                                  .tile_count = (uint32_t)maker->tiles.count,
                                  .surface_count = (uint32_t)maker->surfaces.count,
                                  .edge_count = (uint32_t)maker->edges.count};
    maker->tiles.items = NULL;
    maker->surfaces.items = NULL;
    maker->edges.items = NULL;
    tiles->skipped_count = maker->skipped_count;
    tiles->skipped_m2 = maker->skipped_m2;
    RW_TRY(index_edges(context, &tiles->view));
    return index_faces(context, &tiles->view);
}

rw_status rw_tiles_create(const rw_scene *scene, const rw_tile_options *options, rw_tiles *tiles)
{
    *tiles = (rw_tiles){.options = *options};
    if (!scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is not committed yet");
    RW_TRY(check_options(scene->context, options));
    rw_tile_maker maker = {.scene = scene, .prepared = scene->prepared, .options = *options};
    maker.side_m = sqrt((options->triangles ? 2 : 1) * options->area_m2); /* equation (1) */
    maker.ground_material = (uint32_t)scene->surfaces.count;
    rw_status status = name_materials(scene, tiles);
    if (status == RW_OK)
        status = cut_scene_tiles(&maker);
    if (status == RW_OK)
        status = move_tiles_from_maker(&maker, tiles);
    release_maker(&maker);
    if (status != RW_OK)
        rw_tiles_destroy(tiles);
    return status;
}

void rw_tiles_destroy(rw_tiles *tiles)
{
    free((void *)tiles->view.tiles);
    free((void *)tiles->view.surfaces);
    free((void *)tiles->view.edges);
    free((void *)tiles->view.edge_firsts);
    free((void *)tiles->view.tile_edges);
    free((void *)tiles->view.face_firsts);
    free((void *)tiles->view.face_edges);
    free((void *)tiles->materials);
    *tiles = (rw_tiles){0};
}

double rw_tiles_estimate(const rw_scene *scene, const rw_tile_options *options)
{
    const rw_wall_list *walls = &scene->prepared->walls;
    double side_m = sqrt(options->area_m2), count = 0;
    for (size_t i = 0; i < walls->count; i++) {
        rw_vec2 span = rw_vec2_sub(walls->walls[i].p1, walls->walls[i].p0);
        if (rw_tile_wall_wanted(options, &walls->walls[i]))
            count += (double)rw_tile_pieces(sqrt(rw_vec2_dot(span, span)), side_m) *
                     (double)rw_tile_pieces(walls->walls[i].top_m - walls->walls[i].bottom_m, side_m);
    }
    for (size_t i = 0; i < scene->triangles.count / 3; i++) { /* both sides of meshes */
        const uint32_t *corners = &scene->triangles.items[3 * i];
        rw_vec3 a = scene->vertices.items[corners[0]];
        rw_vec3 span = rw_vec3_sub(scene->vertices.items[corners[1]], a);
        if (rw_tile_is_wanted(options, a.x, a.y, a.x, a.y))
            count += rw_vec3_length(rw_vec3_cross(span, rw_vec3_sub(scene->vertices.items[corners[2]], a))) /
                     options->area_m2;
    }
    double width_m = fmin(scene->box_max.x, options->box[2]) - fmax(scene->box_min.x, options->box[0]);
    double depth_m = fmin(scene->box_max.y, options->box[3]) - fmax(scene->box_min.y, options->box[1]);
    return count + (options->ground && width_m > 0 && depth_m > 0 ? width_m * depth_m / options->area_m2
                                                                  : 0); /* roofs in place of ground */
}

static rw_status upload_tile_array(rw_context *context, const void *host, size_t bytes, void **copy, const void **view)
{
    RW_TRY(rw_device_alloc(context, RW_BACKEND_CUDA, bytes, "tiles", copy));
    *view = *copy;
    return rw_device_upload(context, RW_BACKEND_CUDA, *copy, host, bytes);
}

rw_status rw_tiles_upload(rw_context *context, rw_backend backend, const rw_tiles *tiles, rw_device_tiles *device)
{
    *device = (rw_device_tiles){.view = tiles->view};
    if (backend == RW_BACKEND_CPU)
        return RW_OK;
    rw_tiles_view *view = &device->view;
    size_t count = view->tile_count, edges = view->edge_count, entries = view->edge_firsts[count];
    rw_status status = upload_tile_array(context, view->tiles, count * sizeof *view->tiles, &device->copies[0],
                                         (const void **)&view->tiles);
    if (status == RW_OK)
        status = upload_tile_array(context, view->surfaces, view->surface_count * sizeof *view->surfaces,
                                   &device->copies[1], (const void **)&view->surfaces);
    if (status == RW_OK)
        status = upload_tile_array(context, view->edges, edges * sizeof *view->edges, &device->copies[2],
                                   (const void **)&view->edges);
    if (status == RW_OK)
        status = upload_tile_array(context, view->tile_edges, entries * sizeof *view->tile_edges, &device->copies[3],
                                   (const void **)&view->tile_edges);
    if (status == RW_OK)
        status = upload_tile_array(context, view->edge_firsts, (count + 1) * sizeof *view->edge_firsts,
                                   &device->copies[4], (const void **)&view->edge_firsts);
    size_t faces = view->face_firsts[view->surface_count];
    if (status == RW_OK)
        status = upload_tile_array(context, view->face_edges, (faces + 1) * sizeof *view->face_edges,
                                   &device->copies[5], (const void **)&view->face_edges);
    if (status == RW_OK)
        status = upload_tile_array(context, view->face_firsts, (view->surface_count + 1) * sizeof *view->face_firsts,
                                   &device->copies[6], (const void **)&view->face_firsts);
    if (status != RW_OK)
        rw_tiles_release(backend, device);
    return status;
}

void rw_tiles_release(rw_backend backend, rw_device_tiles *device)
{
    for (size_t i = 0; i < sizeof device->copies / sizeof *device->copies; i++)
        if (device->copies[i])
            rw_device_free(backend, device->copies[i]);
    *device = (rw_device_tiles){0};
}
