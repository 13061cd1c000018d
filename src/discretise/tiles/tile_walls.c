/* Tiles of vertical walls, equations (1) to (3) of Lu and others (2019), on their exposed part above ground.
 */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* One side of a wall while it is cut. */
typedef struct wall_side {
    rw_wall wall;
    rw_vec2 along, normal; /* of length 1 */
    double length_m;
    uint32_t index;
} wall_side;

static rw_vec2 wall_point(const wall_side *side, double along_m)
{
    return rw_vec2_of(side->wall.p0.x + along_m * side->along.x, side->wall.p0.y + along_m * side->along.y);
}

/* Mean height of the ground under a stretch, by Simpson's rule: a tile's lower side is level, the ground need not be.
 */
static double ground_under(const rw_tile_maker *maker, const wall_side *side, double start_m, double end_m)
{
    const rw_scene *scene = maker->scene;
    return (rw_scene_ground_m(scene, wall_point(side, start_m)) +
            4 * rw_scene_ground_m(scene, wall_point(side, 0.5 * (start_m + end_m))) +
            rw_scene_ground_m(scene, wall_point(side, end_m))) /
           6;
}

static rw_status note_side(rw_tile_maker *maker, const wall_side *side, int end, double low_m, double high_m)
{
    RW_TRY(RW_ARRAY_RESERVE(maker->scene->context, maker->sides, 1, "sides of tiles"));
    maker->sides.items[maker->sides.count++] =
        (rw_tile_side){low_m, high_m, side->index, (uint32_t)(maker->tiles.count - 1), end};
    return RW_OK;
}

/* One column of tiles. */
static rw_status cut_column(rw_tile_maker *maker, const wall_side *side, double start_m, double end_m, double low_m,
                            double high_m)
{
    size_t rows = rw_tile_pieces(high_m - low_m, maker->side_m);
    double height_m = (high_m - low_m) / (double)rows, half_m = 0.5 * (end_m - start_m);
    rw_vec3 half_u = {half_m * side->along.x, half_m * side->along.y, 0}, half_v = {0, 0, 0.5 * height_m};
    int framed = maker->prepared->walls.parts[side->index] != RW_NO_PART;
    for (size_t row = 0; row < rows; row++) {
        double low = low_m + (double)row * height_m, high = low + height_m;
        rw_vec3 centre = rw_tile_frame(maker, wall_point(side, start_m + half_m), 0.5 * (low + high));
        RW_TRY(rw_tile_add(maker, centre, half_u, half_v));
        if (framed && start_m == 0)
            RW_TRY(note_side(maker, side, 0, low, high));
        if (framed && end_m == side->length_m)
            RW_TRY(note_side(maker, side, 1, low, high));
    }
    if (framed && high_m == side->wall.top_m) {
        RW_TRY(RW_ARRAY_RESERVE(maker->scene->context, maker->tops, 1, "tiles at roofs"));
        maker->tops.items[maker->tops.count++] = (uint32_t)(maker->tiles.count - 1);
    }
    return RW_OK;
}

static rw_status cut_exposure(rw_tile_maker *maker, const wall_side *side, const rw_wall_exposure *exposure)
{
    double width_m = exposure->end_m - exposure->start_m;
    double low_m = fmax(exposure->low_m, ground_under(maker, side, exposure->start_m, exposure->end_m));
    double height_m = exposure->high_m - low_m;
    if (height_m <= 0)
        return RW_OK;
    if (width_m < maker->options.min_m || height_m < maker->options.min_m ||
        width_m * height_m < maker->options.min_m2) {
        maker->skipped_count++;
        maker->skipped_m2 += width_m * height_m;
        return RW_OK;
    }
    size_t columns = rw_tile_pieces(width_m, maker->side_m);
    for (size_t column = 0; column < columns; column++) {
        double start_m = exposure->start_m + (double)column * width_m / (double)columns;
        double end_m = column + 1 == columns ? exposure->end_m : start_m + width_m / (double)columns;
        double bottom_m = fmax(exposure->low_m, ground_under(maker, side, start_m, end_m));
        if (exposure->high_m - bottom_m > 0.1 * maker->options.min_m)
            RW_TRY(cut_column(maker, side, start_m, end_m, bottom_m, exposure->high_m));
    }
    return RW_OK;
}

static rw_status cut_wall_side(rw_tile_maker *maker, rw_wall wall, uint32_t index, rw_wall_exposures *exposures)
{
    const rw_wall_list *walls = &maker->prepared->walls;
    rw_vec2 span = rw_vec2_sub(wall.p1, wall.p0);
    wall_side side = {.wall = wall, .length_m = sqrt(rw_vec2_dot(span, span)), .index = index};
    side.along = rw_vec2_of(span.x / side.length_m, span.y / side.length_m);
    side.normal = rw_vec2_of(side.along.y, -side.along.x);
    uint32_t part = walls->parts[index];
    RW_TRY(rw_wall_expose(maker, &wall, exposures));
    if (exposures->count == 0)
        return RW_OK;
    rw_tile_surface surface = {.kind = RW_TILE_WALL,
                               .part = part == RW_NO_PART ? RW_NO_TILE : part,
                               .building = part == RW_NO_PART ? 0 : maker->scene->parts.items[part].building,
                               .material = walls->surfaces[index],
                               .wall = index};
    RW_TRY(rw_tile_add_surface(maker, surface));
    for (size_t i = 0; i < exposures->count; i++)
        RW_TRY(cut_exposure(maker, &side, &exposures->items[i]));
    return RW_OK;
}

rw_status rw_tile_walls(rw_tile_maker *maker)
{
    const rw_wall_list *walls = &maker->prepared->walls;
    rw_wall_exposures exposures = {0};
    rw_status status = RW_OK;
    for (size_t i = 0; i < walls->count && status == RW_OK; i++) {
        rw_wall wall = walls->walls[i];
        if (!rw_tile_wall_wanted(&maker->options, &wall))
            continue;
        status = cut_wall_side(maker, wall, (uint32_t)i, &exposures);
        if (status == RW_OK && walls->parts[i] == RW_NO_PART) { /* a free-standing wall has two */
            rw_wall back = {wall.p1, wall.p0, wall.bottom_m, wall.top_m};
            status = cut_wall_side(maker, back, (uint32_t)i, &exposures);
        }
    }
    free(exposures.items);
    return status;
}
