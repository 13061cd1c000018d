/* Contour lines of a layer: where it crosses a level, as lines through the cells' centres.
 *
 * Marching squares over the centres of four neighbouring cells, with linear interpolation along their sides; a saddle
 * is decided by the mean of the four. Squares with a cell that has no value have no line. Every crossing belongs to one
 * side of the grid, so that pieces join exactly. */
#include "base/memory.h"
#include "base/options.h"
#include "ext/gdal.h"
#include "output/maps/map.h"
#include "output/vectors/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_SIDE UINT32_MAX

/* Sides of the grid of centres: number 2 i is the one from centre i to the next column, 2 i + 1 to the next row. */
typedef struct contour_work {
    const rw_map *map;
    const float *values;
    double level;
    uint32_t (*joined)[2]; /* of each side, the sides that its line goes on to; NO_SIDE: none */
    double *xy;            /* of a line at a time */
    rw_vector_writer *writer;
    const char *name;
} contour_work;

static int is_above(const contour_work *work, size_t centre)
{
    return (double)work->values[centre] >= work->level;
}

static void join_sides(contour_work *work, size_t first, size_t second)
{
    work->joined[first][work->joined[first][0] != NO_SIDE] = (uint32_t)second;
    work->joined[second][work->joined[second][0] != NO_SIDE] = (uint32_t)first;
}

/* The pieces of one square, whose south-west centre is given. */
static void cross_square(contour_work *work, size_t centre)
{
    size_t columns = work->map->info.columns;
    const size_t corners[4] = {centre, centre + 1, centre + columns + 1, centre + columns};
    const size_t sides[4] = {2 * centre, 2 * (centre + 1) + 1, 2 * (centre + columns), 2 * centre + 1};
    size_t crossed[4], count = 0;
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        if (!isfinite(work->values[corners[i]]))
            return;
        sum += (double)work->values[corners[i]];
    }
    for (int i = 0; i < 4; i++)
        if (is_above(work, corners[i]) != is_above(work, corners[(i + 1) % 4]))
            crossed[count++] = sides[i];
    if (count == 2)
        join_sides(work, crossed[0], crossed[1]);
    if (count != 4)
        return;
    /* A middle like the first corner joins it to the opposite one: the lines cut off the other two. */
    int first = (sum / 4 >= work->level) == is_above(work, corners[0]) ? 0 : 3;
    join_sides(work, crossed[first], crossed[(first + 1) % 4]);
    join_sides(work, crossed[(first + 2) % 4], crossed[(first + 3) % 4]);
}

static void locate_crossing(const contour_work *work, size_t side, double xy[2])
{
    const rw_map_info *info = &work->map->info;
    size_t centre = side / 2, next = centre + (side % 2 ? info->columns : 1);
    double a = (double)work->values[centre], b = (double)work->values[next], t = (work->level - a) / (b - a);
    double column = (double)(centre % info->columns) + 0.5 + (side % 2 ? 0 : t);
    double row = (double)(centre / info->columns) + 0.5 + (side % 2 ? t : 0);
    xy[0] = info->x0_m + column * info->res_m;
    xy[1] = info->y0_m + row * info->res_m;
}

/* Follows a line from a side and takes it off the grid. Returns its points. */
static size_t follow_line(contour_work *work, size_t start)
{
    size_t count = 0, side = start, before = NO_SIDE;
    for (;;) {
        uint32_t *joined = work->joined[side];
        size_t next = joined[0] != before || before == NO_SIDE ? joined[0] : joined[1];
        locate_crossing(work, side, work->xy + 2 * count++);
        joined[0] = joined[1] = NO_SIDE;
        if (next == NO_SIDE)
            return count;
        if (next == start) { /* closed */
            locate_crossing(work, start, work->xy + 2 * count++);
            return count;
        }
        before = side;
        side = next;
    }
}

static rw_status write_line(contour_work *work, size_t start)
{
    size_t count = follow_line(work, start);
    if (count < 2)
        return RW_OK;
    RW_TRY(rw_vector_write_line(work->writer, work->xy, count));
    rw_vector_write_real(work->writer, 0, work->level);
    rw_vector_write_string(work->writer, 1, work->name);
    return rw_vector_writer_add(work->writer);
}

/* Open lines from their ends, then closed ones from anywhere. */
static rw_status write_level_lines(contour_work *work)
{
    size_t columns = work->map->info.columns, rows = work->map->info.rows, sides = 2 * columns * rows;
    memset(work->joined, 0xff, sides * sizeof *work->joined);
    for (size_t row = 0; row + 1 < rows; row++)
        for (size_t column = 0; column + 1 < columns; column++)
            cross_square(work, row * columns + column);
    for (size_t side = 0; side < sides; side++)
        if (work->joined[side][0] != NO_SIDE && work->joined[side][1] == NO_SIDE)
            RW_TRY(write_line(work, side));
    for (size_t side = 0; side < sides; side++)
        if (work->joined[side][0] != NO_SIDE)
            RW_TRY(write_line(work, side));
    return RW_OK;
}

static rw_status write_all_levels(contour_work *work, const rw_layer_data *layer, const rw_polygon_options *options)
{
    static const rw_vector_field fields[] = {{"level", RW_FIELD_REAL}, {"unit", RW_FIELD_STRING}};
    RW_TRY(rw_vector_writer_layer(work->writer, layer->name, RW_SHAPE_LINE, fields, 2));
    work->name = layer->unit;
    for (size_t i = 0; i < options->level_count; i++) {
        work->level = options->levels[i];
        RW_TRY(write_level_lines(work));
    }
    return RW_OK;
}

static rw_status check_contours(const rw_map *map, const rw_polygon_options *options, const char *format,
                                const char *path, const rw_layer_data **layer)
{
    size_t index = 0;
    if (!format || strncmp(format, "KM", 2) == 0)
        return rw_fail(map->context, RW_BAD_CALL, "%s: contour lines are written as .gpkg, .geojson or .shp", path);
    RW_TRY(rw_polygons_check_name(map->context, path));
    if (options->layer)
        RW_TRY(rw_map_find_layer(map, options->layer, &index));
    else if (!map->info.layers)
        return rw_fail(map->context, RW_BAD_CALL, "the map has no layer");
    *layer = &map->layers[index];
    if (options->band >= (*layer)->bands)
        return rw_fail(map->context, RW_BAD_CALL, "layer %s has %zu bands, there is no number %zu", (*layer)->name,
                       (*layer)->bands, options->band + 1);
    if (map->info.has_plane)
        return rw_fail(map->context, RW_BAD_CALL, "a map on a plane in space has no lines on the ground");
    if (!options->level_count)
        return rw_fail(map->context, RW_BAD_CALL, "contour lines need levels, such as -100,-90,-80");
    if (rw_layer_get_order((*layer)->name) == RW_LAYER_UNORDERED)
        return rw_fail(map->context, RW_BAD_CALL, "layer %s has classes and no contour lines", (*layer)->name);
    for (size_t i = 0; i < options->level_count; i++)
        if (!isfinite(options->levels[i]))
            return rw_fail(map->context, RW_BAD_CALL, "a level of contour lines is not a number");
    return map->info.columns * map->info.rows < NO_SIDE / 2
               ? RW_OK
               : rw_fail(map->context, RW_TOO_LARGE, "contour lines of %zu x %zu cells are too many; cut out a part",
                         map->info.columns, map->info.rows);
}

rw_status rw_map_write_contours(const rw_map *map, const rw_polygon_options *user_options, const char *path)
{
    rw_polygon_options options;
    const rw_layer_data *layer = NULL;
    contour_work work = {.map = map};
    size_t cells = map->info.columns * map->info.rows;
    const char *format = rw_polygons_format(path);
    rw_polygon_options_init(&options);
    if (user_options)
        RW_TRY(RW_RESOLVE(map->context, user_options, &options));
    RW_TRY(check_contours(map, &options, format, path, &layer));
    work.values = layer->values + options.band * cells;
    RW_TRY(rw_array_create(map->context, 2 * cells + 1, sizeof *work.joined, "contour lines", &work.joined));
    rw_status status = rw_array_create(map->context, 4 * cells + 4, sizeof *work.xy, "contour lines", &work.xy);
    if (status == RW_OK)
        status = rw_vector_writer_create(map->context, format, path, map->crs, &work.writer);
    if (status == RW_OK) {
        status = write_all_levels(&work, layer, &options);
        if (status == RW_OK)
            status = rw_vector_writer_finish(work.writer);
        else
            rw_vector_writer_abandon(work.writer);
    }
    free(work.joined);
    free(work.xy);
    return status;
}
