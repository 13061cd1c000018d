/* Rooms of a floor plan as zones: cells of a raster that no wall parts, as far as walls close them off from outside.
 *
 * From free-standing walls that reach into a storey to connected cells: two neighbours hang together where no wall
 * crosses the line between their centres. What hangs together with the outside of the raster is no room. A door is
 * closed where something of the wall is above it, and so is an opening in the line of a wall of at most 1.5 m, as plans
 * leave for doors: from an end that touches no other wall but a jamb to the next wall. */
#include "discretise/zones/zones.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STOREY_UP_M 1.5   /* above the receivers, as far as lintels count as walls */
#define STOREY_DOWN_M 1.4 /* below them */
#define ROOM_MIN_M2 0.5   /* smaller ones are hollows of walls */
#define DOOR_MAX_M 1.5    /* openings in line with a wall that count as closed */
#define TOUCH_M 0.05      /* ends this close to a wall touch it */
#define JAMB_MAX_M 0.5    /* sides of openings, across the wall */
#define LATERAL_M 0.15    /* how far a wall may be off the line that it continues */

enum { WALL_EAST = 1, WALL_NORTH = 2, VISITED = 4 };

/* The raster with a ring of cells round it. */
typedef struct room_grid {
    rw_zone_grid cells;
    size_t columns, rows;
    uint8_t *marks;
    size_t *stack;
} room_grid;

static double centre_x(const room_grid *grid, size_t column)
{
    return grid->cells.x0 + ((double)column - 0.5) * grid->cells.res;
}

static double centre_y(const room_grid *grid, size_t row)
{
    return grid->cells.y0 + ((double)row - 0.5) * grid->cells.res;
}

/* The last centre at or below a place, of so many; SIZE_MAX: none. */
static size_t last_below(double position, double first, double step, size_t count)
{
    double at = floor((position - first) / step);
    return at < 0 ? SIZE_MAX : at >= (double)count ? count - 1 : (size_t)at;
}

/* Marks the links that a wall crosses: between columns in each row that it reaches, and between rows. */
static void cross_links(room_grid *grid, rw_vec2 a, rw_vec2 b)
{
    for (size_t row = 0; row < grid->rows; row++) {
        double y = centre_y(grid, row);
        if (y < fmin(a.y, b.y) || y > fmax(a.y, b.y) || a.y == b.y)
            continue;
        double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        size_t column = last_below(x, centre_x(grid, 0), grid->cells.res, grid->columns);
        if (column != SIZE_MAX)
            grid->marks[row * grid->columns + column] |= WALL_EAST;
    }
    for (size_t column = 0; column < grid->columns; column++) {
        double x = centre_x(grid, column);
        if (x < fmin(a.x, b.x) || x > fmax(a.x, b.x) || a.x == b.x)
            continue;
        double y = a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y);
        size_t row = last_below(y, centre_y(grid, 0), grid->cells.res, grid->rows);
        if (row != SIZE_MAX)
            grid->marks[row * grid->columns + column] |= WALL_NORTH;
    }
}

static void visit_room_cell(room_grid *grid, size_t cell, size_t *count)
{
    if (grid->marks[cell] & VISITED)
        return;
    grid->marks[cell] |= VISITED;
    grid->stack[(*count)++] = cell;
}

/* All cells that hang together with one; they stay in the stack, in no order. Returns how many. */
static size_t flood_cells(room_grid *grid, size_t start)
{
    size_t count = 0;
    visit_room_cell(grid, start, &count);
    for (size_t i = 0; i < count; i++) {
        size_t cell = grid->stack[i], column = cell % grid->columns, row = cell / grid->columns;
        if (column + 1 < grid->columns && !(grid->marks[cell] & WALL_EAST))
            visit_room_cell(grid, cell + 1, &count);
        if (column > 0 && !(grid->marks[cell - 1] & WALL_EAST))
            visit_room_cell(grid, cell - 1, &count);
        if (row + 1 < grid->rows && !(grid->marks[cell] & WALL_NORTH))
            visit_room_cell(grid, cell + grid->columns, &count);
        if (row > 0 && !(grid->marks[cell - grid->columns] & WALL_NORTH))
            visit_room_cell(grid, cell - grid->columns, &count);
    }
    return count;
}

static int compare_cells(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return a < b ? -1 : a > b;
}

/* A room as rectangles: a run of cells in each row. */
static rw_status add_room_zone(const room_grid *grid, size_t count, rw_zones *zones)
{
    double res = grid->cells.res, *xy;
    size_t *sizes, *firsts, runs = 0;
    rw_context *context = zones->context;
    char name[48];
    if ((double)count * res * res < ROOM_MIN_M2)
        return RW_OK;
    rw_sort(grid->stack, count, sizeof *grid->stack, compare_cells);
    RW_TRY(rw_array_create(context, 8 * count, sizeof *xy, "rooms", &xy));
    rw_status status = rw_array_create(context, 2 * count + 1, sizeof *sizes, "rooms", &sizes);
    firsts = status == RW_OK ? sizes + count : NULL;
    for (size_t i = 0, next; status == RW_OK && i < count; i = next, runs++) {
        size_t row = grid->stack[i] / grid->columns, column = grid->stack[i] % grid->columns;
        for (next = i + 1; next < count && grid->stack[next] == grid->stack[i] + (next - i) &&
                           grid->stack[next] / grid->columns == row;)
            next++;
        double west = centre_x(grid, column) - 0.5 * res, east = west + (double)(next - i) * res;
        double south = centre_y(grid, row) - 0.5 * res, north = south + res;
        memcpy(xy + 8 * runs, (double[]){west, south, east, south, east, north, west, north}, 8 * sizeof *xy);
        sizes[runs] = 4;
        firsts[runs] = runs;
    }
    snprintf(name, sizeof name, "room %zu", zones->count + 1);
    if (status == RW_OK) {
        firsts[runs] = runs;
        rw_vector_shape shape = {
            .xy = xy, .ring_sizes = sizes, .ring_count = runs, .polygon_first = firsts, .polygon_count = runs};
        status = rw_zones_add(zones, &shape, name);
    }
    free(xy);
    free(sizes);
    return status;
}

static rw_status find_rooms(room_grid *grid, rw_zones *zones)
{
    flood_cells(grid, 0);                     /* the outside */
    for (size_t row = grid->rows; row-- > 0;) /* from the north-west */
        for (size_t column = 0; column < grid->columns; column++) {
            size_t cell = row * grid->columns + column;
            if (!(grid->marks[cell] & VISITED))
                RW_TRY(add_room_zone(grid, flood_cells(grid, cell), zones));
        }
    return RW_OK;
}

/* The walls of one storey, in world coordinates. */
typedef struct storey_walls {
    rw_vec2 *a, *b;
    size_t count;
} storey_walls;

static double find_distance_to_wall(const storey_walls *walls, size_t wall, rw_vec2 from)
{
    rw_vec2 a = walls->a[wall], along = rw_vec2_of(walls->b[wall].x - a.x, walls->b[wall].y - a.y);
    double length2 = along.x * along.x + along.y * along.y;
    double at = length2 > 0 ? ((from.x - a.x) * along.x + (from.y - a.y) * along.y) / length2 : 0;
    at = fmin(fmax(at, 0), 1);
    return hypot(a.x + at * along.x - from.x, a.y + at * along.y - from.y);
}

static double get_wall_length(const storey_walls *walls, size_t wall)
{
    return hypot(walls->b[wall].x - walls->a[wall].x, walls->b[wall].y - walls->a[wall].y);
}

/* Whether an end of a wall touches no other wall than jambs. */
static int is_free_end(const storey_walls *walls, size_t wall, rw_vec2 end)
{
    for (size_t i = 0; i < walls->count; i++)
        if (i != wall && get_wall_length(walls, i) > JAMB_MAX_M && find_distance_to_wall(walls, i, end) <= TOUCH_M)
            return 0;
    return 1;
}

/* How far along a ray a wall is: where it crosses the ray, or an end of it next to the ray; infinity: nowhere. */
static double find_ray_distance(const storey_walls *walls, size_t wall, rw_vec2 from, rw_vec2 along)
{
    double ahead[2], aside[2], found = INFINITY;
    const rw_vec2 ends[2] = {walls->a[wall], walls->b[wall]};
    for (int i = 0; i < 2; i++) {
        double x = ends[i].x - from.x, y = ends[i].y - from.y;
        ahead[i] = x * along.x + y * along.y;
        aside[i] = y * along.x - x * along.y;
        if (fabs(aside[i]) <= LATERAL_M && ahead[i] > TOUCH_M)
            found = fmin(found, ahead[i]);
    }
    if ((aside[0] > 0) != (aside[1] > 0)) {
        double at = ahead[0] + (ahead[1] - ahead[0]) * aside[0] / (aside[0] - aside[1]);
        if (at > TOUCH_M)
            found = fmin(found, at);
    }
    return found;
}

/* Closes openings of doors: from a free end on in the direction of its wall. */
static void close_openings(room_grid *grid, const storey_walls *walls)
{
    for (size_t i = 0; i < 2 * walls->count; i++) {
        size_t wall = i / 2;
        rw_vec2 end = i & 1 ? walls->b[wall] : walls->a[wall], other = i & 1 ? walls->a[wall] : walls->b[wall];
        double length = get_wall_length(walls, wall), nearest = INFINITY;
        if (length <= JAMB_MAX_M || !is_free_end(walls, wall, end))
            continue;
        rw_vec2 along = rw_vec2_of((end.x - other.x) / length, (end.y - other.y) / length);
        for (size_t k = 0; k < walls->count; k++)
            if (k != wall)
                nearest = fmin(nearest, find_ray_distance(walls, k, end, along));
        if (nearest <= DOOR_MAX_M)
            cross_links(grid, end, rw_vec2_of(end.x + nearest * along.x, end.y + nearest * along.y));
    }
}

static rw_status list_storey_walls(const rw_scene *scene, double z_m, storey_walls *walls)
{
    size_t count = scene->panels.count;
    RW_TRY(rw_array_create(scene->context, 2 * count, sizeof *walls->a, "rooms", &walls->a));
    walls->b = walls->a + count;
    for (size_t i = 0; i < count; i++) {
        const rw_scene_panel *wall = &scene->panels.items[i];
        if (wall->top_m < z_m - STOREY_DOWN_M || wall->bottom_m > z_m + STOREY_UP_M)
            continue;
        walls->a[walls->count] = rw_vec2_of(wall->p0.x + scene->origin.x, wall->p0.y + scene->origin.y);
        walls->b[walls->count++] = rw_vec2_of(wall->p1.x + scene->origin.x, wall->p1.y + scene->origin.y);
    }
    return RW_OK;
}

rw_status rw_zones_of_rooms(const rw_scene *scene, const rw_zone_grid *cells, double z_m, rw_zones *zones)
{
    rw_context *context = scene->context;
    room_grid grid = {.cells = *cells, .columns = cells->columns + 2, .rows = cells->rows + 2};
    storey_walls walls = {0};
    *zones = (rw_zones){.context = context};
    RW_TRY(rw_array_create(context, grid.columns * grid.rows, 1, "rooms", &grid.marks));
    rw_status status = rw_array_create(context, grid.columns * grid.rows, sizeof *grid.stack, "rooms", &grid.stack);
    if (status == RW_OK)
        status = list_storey_walls(scene, z_m, &walls);
    for (size_t i = 0; i < walls.count; i++)
        cross_links(&grid, walls.a[i], walls.b[i]);
    close_openings(&grid, &walls);
    free(walls.a);
    if (status == RW_OK)
        status = find_rooms(&grid, zones);
    if (status == RW_OK && zones->count == 0)
        status = rw_fail(context, RW_BAD_INPUT, "the floor plan has no rooms that walls close off at %g m", z_m);
    free(grid.marks);
    free(grid.stack);
    if (status != RW_OK)
        rw_zones_free(zones);
    return status;
}
