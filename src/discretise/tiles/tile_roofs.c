/* Tiles of flat roofs: the smallest rectangle round the outline is cut, and tiles whose centre is outside are dropped.
 *
 * Section III.A of Lu and others (2019). A roof so narrow that no centre is inside is cut again into smaller tiles, and
 * tiles keep the roof's area. */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct roof {
    const rw_part *part;
    uint32_t index;
    int alone; /* no other part's box is over it at the roof's height */
    rw_tile_rectangle rectangle;
} roof;

static rw_status circumscribe_roof(const rw_tile_maker *maker, roof *new_roof)
{
    const rw_scene *scene = maker->scene;
    return rw_smallest_rectangle(scene->context, rw_ring_points(scene, new_roof->part->first_ring),
                                 rw_ring_size(scene, new_roof->part->first_ring), &new_roof->rectangle);
}

static rw_vec2 roof_point(const roof *new_roof, double u, double v)
{
    return rw_rectangle_point(&new_roof->rectangle, u, v);
}

/* Whether the point is on the roof, and nothing stands there. */
static int roof_point_is_free(const rw_tile_maker *maker, const roof *new_roof, rw_vec2 at)
{
    uint32_t parts[16];
    if (new_roof->alone)
        return rw_part_contains(maker->scene, new_roof->part, at);
    size_t count = rw_tile_parts_over(maker, at, parts, 16);
    int own = 0;
    for (size_t i = 0; i < count; i++) {
        own |= parts[i] == new_roof->index;
        if (parts[i] != new_roof->index &&
            rw_part_fills(&maker->scene->parts.items[parts[i]], new_roof->part->top_m + RW_TILE_OFFSET_M))
            return 0;
    }
    return own;
}

/* Whether a border runs through the tile, as its corners and centre tell. */
static int roof_tile_is_mixed(const rw_tile_maker *maker, const roof *new_roof, double u, double v, double half_u,
                              double half_v)
{
    int sum = roof_point_is_free(maker, new_roof, roof_point(new_roof, u, v));
    for (int i = 0; i < 4; i++)
        sum += roof_point_is_free(
            maker, new_roof,
            roof_point(new_roof, u + (i & 1 ? 0.999 : -0.999) * half_u, v + (i & 2 ? 0.999 : -0.999) * half_v));
    return sum != 0 && sum != 5;
}

static rw_status cut_roof_tile(rw_tile_maker *maker, const roof *new_roof, double u, double v, double half_u,
                               double half_v, int quarters)
{
    if (quarters > 0 && roof_tile_is_mixed(maker, new_roof, u, v, half_u, half_v)) {
        for (int i = 0; i < 4; i++)
            RW_TRY(cut_roof_tile(maker, new_roof, u + (i & 1 ? 0.5 : -0.5) * half_u, v + (i & 2 ? 0.5 : -0.5) * half_v,
                                 0.5 * half_u, 0.5 * half_v, quarters - 1));
        return RW_OK;
    }
    rw_vec2 at = roof_point(new_roof, u, v);
    if (!roof_point_is_free(maker, new_roof, at))
        return RW_OK;
    rw_vec3 centre = rw_tile_frame(maker, at, new_roof->part->top_m);
    return rw_tile_add(maker, centre, rw_vec3_of(half_u * new_roof->rectangle.u.x, half_u * new_roof->rectangle.u.y, 0),
                       rw_vec3_of(half_v * new_roof->rectangle.v.x, half_v * new_roof->rectangle.v.y, 0));
}

static double find_part_area(const rw_scene *scene, const rw_part *part)
{
    double area = 0;
    for (size_t r = 0; r < part->ring_count; r++)
        area += (r == 0 ? 1 : -1) * fabs(rw_ring_area(rw_ring_points(scene, part->first_ring + r),
                                                      rw_ring_size(scene, part->first_ring + r)));
    return area;
}

/* The area that is free, by looking at four by four points of each piece of the rectangle. */
static double free_area(const rw_tile_maker *maker, const roof *new_roof)
{
    if (new_roof->alone)
        return find_part_area(maker->scene, new_roof->part);
    size_t columns = 4 * rw_tile_pieces(new_roof->rectangle.length_u, maker->side_m);
    size_t rows = 4 * rw_tile_pieces(new_roof->rectangle.length_v, maker->side_m), free = 0;
    for (size_t i = 0; i < columns * rows; i++) {
        double u = ((double)(i % columns) + 0.5) / (double)columns, v = ((double)(i / columns) + 0.5) / (double)rows;
        free += (size_t)roof_point_is_free(
            maker, new_roof, roof_point(new_roof, u * new_roof->rectangle.length_u, v * new_roof->rectangle.length_v));
    }
    return new_roof->rectangle.length_u * new_roof->rectangle.length_v * (double)free / (double)(columns * rows);
}

/* Tiles at the border reach over it or leave some of it out. All of a roof are widened or narrowed together, so that
 * they have its area. */
static void scale_roof_tiles(rw_tile_maker *maker, const roof *new_roof, size_t first)
{
    double sum_m2 = 0;
    for (size_t i = first; i < maker->tiles.count; i++)
        sum_m2 += (double)maker->tiles.items[i].area_m2;
    double wanted_m2 = free_area(maker, new_roof), scale = sqrt(fmin(2, fmax(0.5, wanted_m2 / sum_m2)));
    for (size_t i = first; i < maker->tiles.count; i++) {
        rw_tile *tile = &maker->tiles.items[i];
        tile->area_m2 *= (float)(scale * scale);
        for (int axis = 0; axis < 3; axis++) {
            tile->half_u[axis] *= (float)scale;
            tile->half_v[axis] *= (float)scale;
        }
    }
}

static rw_status cut_roof(rw_tile_maker *maker, const roof *new_roof)
{
    size_t before = maker->tiles.count;
    double side_m = maker->side_m;
    for (int refinement = 0; refinement < 4 && maker->tiles.count == before; refinement++, side_m *= 0.5) {
        size_t columns = rw_tile_pieces(new_roof->rectangle.length_u, side_m),
               rows = rw_tile_pieces(new_roof->rectangle.length_v, side_m);
        double half_u = 0.5 * new_roof->rectangle.length_u / (double)columns,
               half_v = 0.5 * new_roof->rectangle.length_v / (double)rows;
        for (size_t row = 0; row < rows; row++)
            for (size_t column = 0; column < columns; column++)
                RW_TRY(cut_roof_tile(maker, new_roof, (2 * (double)column + 1) * half_u, (2 * (double)row + 1) * half_v,
                                     half_u, half_v, maker->options.border_quarter));
    }
    if (maker->tiles.count > before)
        scale_roof_tiles(maker, new_roof, before);
    return RW_OK;
}

/* Boxes of parts, from west to east. */
typedef struct part_box {
    double west, south, east, north;
    uint32_t part;
} part_box;

static int by_west(const void *a, const void *b)
{
    const part_box *first = a, *second = b;
    return first->west < second->west ? -1 : first->west > second->west;
}

/* Marks the parts over whose roof another part's box may stand: a sweep from west to east. */
static rw_status mark_shared(const rw_scene *scene, uint8_t *shared)
{
    size_t count = scene->parts.count;
    part_box *boxes;
    RW_TRY(rw_array_create(scene->context, count, sizeof *boxes, "boxes of buildings", &boxes));
    for (size_t i = 0; i < count; i++) {
        const rw_vec2 *points = rw_ring_points(scene, scene->parts.items[i].first_ring);
        boxes[i] = (part_box){points[0].x, points[0].y, points[0].x, points[0].y, (uint32_t)i};
        for (size_t k = 1; k < rw_ring_size(scene, scene->parts.items[i].first_ring); k++) {
            boxes[i].west = fmin(boxes[i].west, points[k].x);
            boxes[i].east = fmax(boxes[i].east, points[k].x);
            boxes[i].south = fmin(boxes[i].south, points[k].y);
            boxes[i].north = fmax(boxes[i].north, points[k].y);
        }
    }
    rw_sort(boxes, count, sizeof *boxes, by_west);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && boxes[k].west <= boxes[i].east; k++) {
            if (boxes[k].south > boxes[i].north || boxes[k].north < boxes[i].south)
                continue;
            const rw_part *a = &scene->parts.items[boxes[i].part], *b = &scene->parts.items[boxes[k].part];
            shared[boxes[i].part] |= (uint8_t)rw_part_fills(b, a->top_m + RW_TILE_OFFSET_M);
            shared[boxes[k].part] |= (uint8_t)rw_part_fills(a, b->top_m + RW_TILE_OFFSET_M);
        }
    free(boxes);
    return RW_OK;
}

static int part_is_wanted(const rw_tile_maker *maker, const rw_part *part)
{
    const rw_vec2 *points = rw_ring_points(maker->scene, part->first_ring);
    double west = INFINITY, south = INFINITY, east = -INFINITY, north = -INFINITY;
    for (size_t i = 0; i < rw_ring_size(maker->scene, part->first_ring); i++) {
        west = fmin(west, points[i].x);
        south = fmin(south, points[i].y);
        east = fmax(east, points[i].x);
        north = fmax(north, points[i].y);
    }
    return rw_tile_is_wanted(&maker->options, west, south, east, north);
}

static rw_status cut_roofs(rw_tile_maker *maker, const uint8_t *shared)
{
    const rw_scene *scene = maker->scene;
    for (size_t i = 0; i < scene->parts.count; i++) {
        roof new_roof = {.part = &scene->parts.items[i], .index = (uint32_t)i, .alone = !shared[i]};
        double area_m2 = find_part_area(scene, new_roof.part);
        maker->roof_first[i] = (uint32_t)maker->tiles.count;
        if (!part_is_wanted(maker, new_roof.part))
            continue;
        RW_TRY(circumscribe_roof(maker, &new_roof));
        if (fmin(new_roof.rectangle.length_u, new_roof.rectangle.length_v) < maker->options.min_m ||
            area_m2 < maker->options.min_m2) {
            maker->skipped_count++;
            maker->skipped_m2 += area_m2;
            continue;
        }
        rw_tile_surface surface = {.kind = RW_TILE_ROOF,
                                   .part = new_roof.index,
                                   .building = new_roof.part->building,
                                   .material = new_roof.part->surface,
                                   .wall = RW_NO_TILE};
        RW_TRY(rw_tile_add_surface(maker, surface));
        RW_TRY(cut_roof(maker, &new_roof));
    }
    maker->roof_first[scene->parts.count] = (uint32_t)maker->tiles.count;
    return RW_OK;
}

rw_status rw_tile_roofs(rw_tile_maker *maker)
{
    const rw_scene *scene = maker->scene;
    uint8_t *shared;
    RW_TRY(rw_array_create(scene->context, scene->parts.count + 1, sizeof *maker->roof_first, "roofs",
                           &maker->roof_first));
    RW_TRY(rw_array_create(scene->context, scene->parts.count, sizeof *shared, "roofs", &shared));
    rw_status status = mark_shared(scene, shared);
    if (status == RW_OK)
        status = cut_roofs(maker, shared);
    free(shared);
    return status;
}
