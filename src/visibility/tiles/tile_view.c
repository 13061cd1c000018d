#include "visibility/tiles/tiles.h"

#include "base/memory.h"
#include "visibility/tiles/see_source.k.h"

#include <math.h>
#include <stdlib.h>

static void fill_eyes(const rw_tiles_view *tiles, rw_tile_eye *eyes)
{
    for (uint32_t i = 0; i < tiles->tile_count; i++)
        eyes[i] = (rw_tile_eye){tiles->tiles[i].centre, tiles->tiles[i].normal};
}

static void widen_tile_block(rw_tile_block *block, const rw_tile_eye *eye)
{
    const double at[3] = {eye->centre.x, eye->centre.y, eye->centre.z};
    const double normal[3] = {eye->normal.x, eye->normal.y, eye->normal.z};
    for (int axis = 0; axis < 3; axis++) {
        block->low[axis] = fmin(block->low[axis], at[axis]);
        block->high[axis] = fmax(block->high[axis], at[axis]);
        block->normal_low[axis] = fminf(block->normal_low[axis], nextafterf((float)normal[axis], -2));
        block->normal_high[axis] = fmaxf(block->normal_high[axis], nextafterf((float)normal[axis], 2));
    }
}

static void fill_tile_blocks(const rw_tile_eye *eyes, uint32_t tile_count, rw_tile_block *blocks)
{
    for (uint32_t i = 0; i < tile_count; i++) {
        rw_tile_block *block = &blocks[i / RW_TILE_BLOCK];
        if (i % RW_TILE_BLOCK == 0)
            *block = (rw_tile_block){.low = {INFINITY, INFINITY, INFINITY},
                                     .high = {-INFINITY, -INFINITY, -INFINITY},
                                     .normal_low = {2, 2, 2},
                                     .normal_high = {-2, -2, -2}};
        widen_tile_block(block, &eyes[i]);
    }
}

static void fill_members(const rw_tile_eye *eyes, uint32_t tile_count, uint32_t block_count, rw_tile_block *blocks)
{
    for (uint32_t b = 0; b < block_count; b++) {
        rw_tile_block *block = &blocks[b];
        for (int axis = 0; axis < 3; axis++)
            block->middle[axis] = 0.5 * (block->low[axis] + block->high[axis]);
        for (uint32_t i = 0; i < RW_TILE_BLOCK && b * RW_TILE_BLOCK + i < tile_count; i++) {
            const rw_tile_eye *eye = &eyes[b * RW_TILE_BLOCK + i];
            block->x[i] = (float)(eye->centre.x - block->middle[0]);
            block->y[i] = (float)(eye->centre.y - block->middle[1]);
            block->z[i] = (float)(eye->centre.z - block->middle[2]);
            block->normal_x[i] = (float)eye->normal.x;
            block->normal_y[i] = (float)eye->normal.y;
            block->normal_z[i] = (float)eye->normal.z;
        }
    }
}

static rw_tile_deck make_deck(const rw_exact_wall *exact, uint32_t first_wall, uint32_t wall_count, double z_m)
{
    rw_tile_deck deck = {z_m, INFINITY, INFINITY, -INFINITY, -INFINITY, first_wall, wall_count};
    for (uint32_t i = first_wall; i < first_wall + wall_count; i++) {
        deck.west = fmin(deck.west, exact[i].x0);
        deck.east = fmax(deck.east, exact[i].x0);
        deck.south = fmin(deck.south, exact[i].y0);
        deck.north = fmax(deck.north, exact[i].y0);
    }
    return deck;
}

/* Keeps of a list of parts those that are over the point; the first point makes the list. */
static size_t intersect_parts_over(const rw_scene *scene, rw_vec2 point, int first, uint32_t parts[16], size_t count)
{
    uint32_t here[16];
    size_t found = rw_parts_over(scene, scene->prepared, point, first ? parts : here, 16), common_count = 0;
    if (first)
        return found;
    for (size_t k = 0; k < count; k++)
        for (size_t m = 0; m < found; m++)
            if (parts[k] == here[m])
                parts[common_count++] = here[m];
    return common_count;
}

/* Whether the floor of a part lies on another part that goes down to the ground: then a line that leaves through it is
 * inside that one, whose walls stand in its way. Asked just inside both ends of each of its walls; the other must have
 * no corner within it. */
static int part_is_supported(const rw_scene *scene, uint32_t index, uint32_t first_wall, uint32_t wall_end)
{
    const rw_wall_list *walls = &scene->prepared->walls;
    const rw_part *part = &scene->parts.items[index];
    uint32_t parts[16];
    size_t count = 0;
    for (uint32_t i = first_wall; i < wall_end; i++)
        for (int end = 0; end < 2; end++) {
            const rw_wall *wall = &walls->walls[i];
            rw_vec2 normal = walls->normals[i], along = {-normal.y, normal.x}, at = end ? wall->p1 : wall->p0;
            double back_m = 0.02, step_m = end ? -back_m : back_m;
            rw_vec2 inside = {at.x + step_m * along.x - back_m * normal.x, at.y + step_m * along.y - back_m * normal.y};
            count = intersect_parts_over(scene, inside, i == first_wall && end == 0, parts, count);
        }
    for (size_t k = 0; k < count; k++) {
        const rw_part *other = &scene->parts.items[parts[k]];
        int holds = parts[k] != index && other->base_height_m <= 0 && other->top_m >= part->bottom_m - 1e-6 &&
                    other->ring_count == 1;
        const rw_vec2 *points = rw_ring_points(scene, other->first_ring);
        for (size_t i = 0; i < rw_ring_size(scene, other->first_ring) && holds; i++)
            holds = !rw_part_contains(scene, part, points[i]);
        if (holds)
            return 1;
    }
    return 0;
}

static void fill_decks(const rw_scene *scene, rw_tile_deck *decks, rw_tile_deck *faces, rw_tile_geometry_view *geometry)
{
    const rw_exact_wall *exact = scene->prepared->grid.exact;
    uint32_t wall = 0;
    for (uint32_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        uint32_t first = wall;
        for (size_t r = 0; r < part->ring_count; r++)
            wall += (uint32_t)rw_ring_size(scene, part->first_ring + r);
        faces[geometry->face_count++] = make_deck(exact, first, wall - first, part->top_m);
        if (part->base_height_m <= 0)
            continue;
        faces[geometry->face_count++] = make_deck(exact, first, wall - first, part->bottom_m);
        if (!part_is_supported(scene, i, first, wall))
            decks[geometry->deck_count++] = make_deck(exact, first, wall - first, part->bottom_m);
    }
}

static rw_status upload_tile_geometry_array(rw_context *context, rw_device_view *device, int slot, void *host,
                                            size_t bytes, const void **view)
{
    if (device->backend == RW_BACKEND_CPU) {
        device->arrays[slot] = host;
        *view = host;
        return RW_OK;
    }
    rw_status status = rw_device_alloc(context, device->backend, bytes, "tiles", &device->arrays[slot]);
    if (status == RW_OK)
        status = rw_device_upload(context, device->backend, device->arrays[slot], host, bytes);
    *view = device->arrays[slot];
    free(host);
    return status;
}

static rw_status fill_tile_geometry(const rw_scene *scene, const rw_tiles *tiles, rw_device_view *device)
{
    rw_context *context = scene->context;
    rw_tile_geometry_view *geometry = &device->view;
    size_t parts = scene->parts.count;
    rw_tile_eye *eyes;
    rw_tile_block *blocks;
    rw_tile_deck *decks, *faces;
    RW_TRY(rw_array_create(context, geometry->tile_count, sizeof *eyes, "tiles", &eyes));
    fill_eyes(&tiles->view, eyes);
    rw_status status = rw_array_create(context, geometry->block_count, sizeof *blocks, "blocks of tiles", &blocks);
    if (status == RW_OK) {
        fill_tile_blocks(eyes, geometry->tile_count, blocks);
        fill_members(eyes, geometry->tile_count, geometry->block_count, blocks);
        status = upload_tile_geometry_array(context, device, 1, blocks, geometry->block_count * sizeof *blocks,
                                            (const void **)&geometry->blocks);
    }
    rw_status eyes_status = upload_tile_geometry_array(context, device, 0, eyes, geometry->tile_count * sizeof *eyes,
                                                       (const void **)&geometry->eyes);
    RW_TRY(status);
    RW_TRY(eyes_status);
    RW_TRY(rw_array_create(context, parts + 1, sizeof *decks, "floors", &decks));
    status = rw_array_create(context, 2 * parts + 1, sizeof *faces, "roofs and floors", &faces);
    if (status == RW_OK) {
        fill_decks(scene, decks, faces, geometry);
        status = upload_tile_geometry_array(context, device, 3, faces, (2 * parts + 1) * sizeof *faces,
                                            (const void **)&geometry->faces);
    }
    rw_status decks_status = upload_tile_geometry_array(context, device, 2, decks, (parts + 1) * sizeof *decks,
                                                        (const void **)&geometry->decks);
    RW_TRY(status);
    return decks_status;
}

rw_status rw_tile_geometry_upload(const rw_scene *scene, const rw_tiles *tiles, rw_backend backend,
                                  rw_device_view *device)
{
    *device = (rw_device_view){.backend = backend};
    device->view.tile_count = tiles->view.tile_count;
    device->view.block_count = (tiles->view.tile_count + RW_TILE_BLOCK - 1) / RW_TILE_BLOCK;
    RW_TRY(rw_prepared_view(scene, backend, &device->view.grid));
    rw_status status = fill_tile_geometry(scene, tiles, device);
    if (status != RW_OK)
        rw_tile_geometry_release(device);
    return status;
}

rw_status rw_tile_geometry_see_source(rw_context *context, const rw_device_view *device, rw_vec3 source, uint8_t *seen)
{
    struct rw_see_source_args args = {device->view, source, seen};
    return rw_device_launch(context, device->backend, RW_KERNEL_see_source, &args, device->view.tile_count);
}

void rw_tile_geometry_release(rw_device_view *device)
{
    for (int i = 0; i < 4; i++)
        if (device->arrays[i])
            rw_device_free(device->backend, device->arrays[i]);
    *device = (rw_device_view){0};
}
