/* Tiles of the ground outside buildings, which follow its height, and the edges where it folds.
 *
 * Section III.A of Lu and others (2019): a grid over the scene's extent; tiles whose centre is under a building are
 * dropped. A tile is the plane through the ground's heights at the middles of its sides, moved to the height at its
 * centre. Where two neighbours fold upwards, as on a crest, their common side is an edge that diffracts (section IV.C:
 * streets over hills). */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"
#include "discretise/walls/walls.h"

#include <math.h>
#include <stdlib.h>

/* Flatter folds do not diffract. */
static const double min_fold_rad = 0.0175;

typedef struct ground_grid {
    rw_vec2 corner; /* south-west, local frame */
    double half_x, half_y;
    size_t columns, rows;
    uint32_t *numbers; /* of the tile in each cell, RW_NO_TILE: none, or cut smaller; before that 1: it is covered */
} ground_grid;

typedef struct cover_user {
    const rw_scene *scene;
    ground_grid *grid;
} cover_user;

static rw_vec2 cell_centre(const ground_grid *grid, size_t column, size_t row)
{
    return rw_vec2_of(grid->corner.x + (2 * (double)column + 1) * grid->half_x,
                      grid->corner.y + (2 * (double)row + 1) * grid->half_y);
}

static void cover_run(void *user, const rw_part *part, size_t row, size_t first, size_t end)
{
    cover_user *cover = user;
    for (size_t column = first; column < end; column++) {
        rw_vec2 at = cell_centre(cover->grid, column, row);
        if (part->base_height_m <= 0 || rw_part_fills(part, rw_scene_ground_m(cover->scene, at) + RW_TILE_OFFSET_M))
            cover->grid->numbers[row * cover->grid->columns + column] = 1;
    }
}

static int ground_cell_is_mixed(const rw_tile_maker *maker, rw_vec2 at, double half_x, double half_y)
{
    const rw_scene *scene = maker->scene;
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        double x = i == 4 ? 0 : i & 1 ? half_x : -half_x, y = i == 4 ? 0 : i & 2 ? half_y : -half_y;
        rw_vec2 there = {at.x + 0.999 * x, at.y + 0.999 * y};
        sum += rw_tile_covered(maker, there, rw_scene_ground_m(scene, there) + RW_TILE_OFFSET_M, RW_NO_TILE);
    }
    return sum != 0 && sum != 5;
}

static rw_status add_tile(rw_tile_maker *maker, rw_vec2 at, double half_x, double half_y)
{
    const rw_scene *scene = maker->scene;
    double z_m = rw_scene_ground_m(scene, at);
    double rise_x = 0.5 * (rw_scene_ground_m(scene, rw_vec2_of(at.x + half_x, at.y)) -
                           rw_scene_ground_m(scene, rw_vec2_of(at.x - half_x, at.y)));
    double rise_y = 0.5 * (rw_scene_ground_m(scene, rw_vec2_of(at.x, at.y + half_y)) -
                           rw_scene_ground_m(scene, rw_vec2_of(at.x, at.y - half_y)));
    return rw_tile_add(maker, rw_tile_frame(maker, at, z_m), rw_vec3_of(half_x, 0, rise_x),
                       rw_vec3_of(0, half_y, rise_y));
}

/* A cell that an outline crosses, in quarters. */
static rw_status cut_ground_cell(rw_tile_maker *maker, rw_vec2 at, double half_x, double half_y, int quarters)
{
    if (quarters > 0 && ground_cell_is_mixed(maker, at, half_x, half_y)) {
        for (int i = 0; i < 4; i++)
            RW_TRY(cut_ground_cell(
                maker, rw_vec2_of(at.x + (i & 1 ? 0.5 : -0.5) * half_x, at.y + (i & 2 ? 0.5 : -0.5) * half_y),
                0.5 * half_x, 0.5 * half_y, quarters - 1));
        return RW_OK;
    }
    double z_m = rw_scene_ground_m(maker->scene, at) + RW_TILE_OFFSET_M;
    return rw_tile_covered(maker, at, z_m, RW_NO_TILE) ? RW_OK : add_tile(maker, at, half_x, half_y);
}

static rw_status cut_cell(rw_tile_maker *maker, const ground_grid *grid, rw_vec2 at, uint32_t *number)
{
    int quarters = maker->options.border_quarter, covered = *number == 1;
    *number = RW_NO_TILE;
    if (quarters > 0 && ground_cell_is_mixed(maker, at, grid->half_x, grid->half_y))
        return cut_ground_cell(maker, at, grid->half_x, grid->half_y, quarters);
    if (covered)
        return RW_OK;
    *number = (uint32_t)maker->tiles.count;
    return add_tile(maker, at, grid->half_x, grid->half_y);
}

/* The common side of two neighbours, first the western or southern one. */
static rw_status add_fold(rw_tile_maker *maker, const ground_grid *grid, size_t column, size_t row, int northward)
{
    size_t other = northward ? (row + 1) * grid->columns + column : row * grid->columns + column + 1;
    uint32_t a = grid->numbers[row * grid->columns + column], b = grid->numbers[other];
    if (a == RW_NO_TILE || b == RW_NO_TILE)
        return RW_OK;
    const rw_tile *first = &maker->tiles.items[a], *second = &maker->tiles.items[b];
    double fold = acos(fmin(1, rw_vec3_dot(first->normal, second->normal)));
    rw_vec3 offset = rw_vec3_sub(second->centre, first->centre);
    if (fold < min_fold_rad || rw_vec3_dot(offset, rw_vec3_sub(second->normal, first->normal)) <= 0)
        return RW_OK;
    rw_vec2 low = {grid->corner.x + 2 * (double)(column + !northward) * grid->half_x,
                   grid->corner.y + 2 * (double)(row + (size_t)northward) * grid->half_y};
    rw_vec2 high = {low.x + (northward ? 2 * grid->half_x : 0), low.y + (northward ? 0 : 2 * grid->half_y)};
    RW_TRY(RW_ARRAY_RESERVE(maker->scene->context, maker->edges, 1, "edges of tiles"));
    maker->edges.items[maker->edges.count++] =
        (rw_tile_edge){.from = rw_tile_frame(maker, low, rw_scene_ground_m(maker->scene, low)),
                       .to = rw_tile_frame(maker, high, rw_scene_ground_m(maker->scene, high)),
                       .normals = {first->normal, second->normal},
                       .exterior_rad = 3.14159265358979323846 + fold,
                       .tiles = {a, b},
                       .kind = RW_TILE_EDGE_GROUND};
    return RW_OK;
}

static rw_status cut_cells(rw_tile_maker *maker, ground_grid *grid)
{
    for (size_t row = 0; row < grid->rows; row++)
        for (size_t column = 0; column < grid->columns; column++)
            RW_TRY(cut_cell(maker, grid, cell_centre(grid, column, row), &grid->numbers[row * grid->columns + column]));
    for (size_t row = 0; row < grid->rows; row++)
        for (size_t column = 0; column < grid->columns; column++) {
            if (column + 1 < grid->columns)
                RW_TRY(add_fold(maker, grid, column, row, 0));
            if (row + 1 < grid->rows)
                RW_TRY(add_fold(maker, grid, column, row, 1));
        }
    return RW_OK;
}

/* Most cells of the ground along an axis that are added before and after the scene. */
#define BEYOND_CELLS 100.0

/* Cells along an axis: those of the scene, and as many of their size as reach beyond it. */
static void place_ground_axis(double low, double high, double beyond_low, double beyond_high, double side_m,
                              double *corner, double *half, size_t *count)
{
    if (!(high > low)) /* no more than a wall along the other axis */
        high = low + side_m;
    *count = rw_tile_pieces(high - low, side_m);
    double step_m = (high - low) / (double)*count;
    double before = fmin(fmax(ceil((low - beyond_low) / step_m - 1e-6), 0), BEYOND_CELLS);
    double after = fmin(fmax(ceil((beyond_high - high) / step_m - 1e-6), 0), BEYOND_CELLS);
    int extends = beyond_high > beyond_low;
    *half = 0.5 * step_m;
    *corner = low - (extends ? before : 0) * step_m;
    *count += extends ? (size_t)before + (size_t)after : 0;
}

rw_status rw_tile_ground(rw_tile_maker *maker)
{
    const rw_scene *scene = maker->scene;
    if (!maker->options.ground || !rw_scene_lays_ground(scene))
        return RW_OK;
    const double *box = maker->options.box, *beyond = maker->options.beyond;
    double low_x = fmax(scene->box_min.x, box[0]), low_y = fmax(scene->box_min.y, box[1]);
    double high_x = fmin(scene->box_max.x, box[2]), high_y = fmin(scene->box_max.y, box[3]);
    int extends = beyond[2] > beyond[0] && beyond[3] > beyond[1];
    ground_grid grid = {0};
    if (!(high_x > low_x && high_y > low_y) && !extends) /* a single wall along an axis stands on no ground */
        return RW_OK;
    place_ground_axis(low_x, high_x, beyond[0], beyond[2], maker->side_m, &grid.corner.x, &grid.half_x, &grid.columns);
    place_ground_axis(low_y, high_y, beyond[1], beyond[3], maker->side_m, &grid.corner.y, &grid.half_y, &grid.rows);
    rw_tile_surface surface = {
        .kind = RW_TILE_GROUND, .part = RW_NO_TILE, .material = maker->ground_material, .wall = RW_NO_TILE};
    RW_TRY(rw_tile_add_surface(maker, surface));
    RW_TRY(rw_array_create(scene->context, grid.columns * grid.rows, sizeof *grid.numbers, "tiles of the ground",
                           &grid.numbers));
    cover_user user = {scene, &grid};
    rw_vec2 first = cell_centre(&grid, 0, 0);
    rw_raster_frame frame = {first.x, first.y, 2 * grid.half_x, grid.columns, grid.rows, 2 * grid.half_y};
    rw_status status = rw_rasterise_outlines(scene, &frame, cover_run, &user);
    if (status == RW_OK)
        status = cut_cells(maker, &grid);
    free(grid.numbers);
    return status;
}
