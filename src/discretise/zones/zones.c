#include "discretise/zones/zones.h"

#include "base/memory.h"
#include "base/text/normalise.h"
#include "ext/gdal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rw_zones_free(rw_zones *zones)
{
    for (size_t i = 0; i < zones->count; i++)
        free(zones->zones[i].name);
    free(zones->zones);
    free(zones->xy);
    free(zones->ring_sizes);
    free(zones->polygon_first);
    *zones = (rw_zones){0};
}

static rw_status reserve_zone_shape(rw_zones *zones, const rw_vector_shape *shape, size_t points)
{
    rw_context *context = zones->context;
    RW_TRY(rw_array_reserve(context, &zones->xy, &zones->xy_capacity, 2 * (zones->point_count + points),
                            sizeof *zones->xy, "zones"));
    RW_TRY(rw_array_reserve(context, &zones->ring_sizes, &zones->ring_capacity, zones->ring_count + shape->ring_count,
                            sizeof *zones->ring_sizes, "zones"));
    RW_TRY(rw_array_reserve(context, &zones->polygon_first, &zones->polygon_capacity,
                            zones->polygon_entries + shape->polygon_count + 1, sizeof *zones->polygon_first, "zones"));
    return rw_array_reserve(context, &zones->zones, &zones->zone_capacity, zones->count + 1, sizeof *zones->zones,
                            "zones");
}

static rw_status replace_zone_name(rw_context *context, const char *name, char **replaced)
{
    char *text;
    RW_TRY(rw_array_create(context, RW_NORMALISED_BYTES_MAX(strlen(name)), 1, "zones", &text));
    rw_text_normalise(name, strlen(name), text);
    free(*replaced);
    *replaced = text;
    return RW_OK;
}

rw_status rw_zones_add(rw_zones *zones, const rw_vector_shape *shape, const char *name)
{
    size_t points = 0;
    for (size_t i = 0; i < shape->ring_count; i++)
        points += shape->ring_sizes[i];
    RW_TRY(reserve_zone_shape(zones, shape, points));
    rw_zone *zone = &zones->zones[zones->count];
    *zone = (rw_zone){NULL, zones->ring_count, shape->ring_count, zones->polygon_entries, shape->polygon_count};
    RW_TRY(replace_zone_name(zones->context, name, &zone->name));
    memcpy(zones->xy + 2 * zones->point_count, shape->xy, 2 * points * sizeof *shape->xy);
    memcpy(zones->ring_sizes + zones->ring_count, shape->ring_sizes, shape->ring_count * sizeof *shape->ring_sizes);
    memcpy(zones->polygon_first + zones->polygon_entries, shape->polygon_first,
           (shape->polygon_count + 1) * sizeof *shape->polygon_first);
    zones->point_count += points;
    zones->ring_count += shape->ring_count;
    zones->polygon_entries += shape->polygon_count + 1;
    zones->count++;
    return RW_OK;
}

/* The field with names; -1: none, and numbers are taken. */
static rw_status find_name_field(rw_vector_file *file, rw_context *context, const char *path, const char *user_field,
                                 int *field)
{
    static const char *const default_names[] = {"name", "zone", "id"};
    *field = user_field ? rw_vector_find_field(file, user_field) : -1;
    if (user_field && *field < 0)
        return rw_fail(context, RW_BAD_INPUT, "%s has no field %s", path, user_field);
    for (int i = 0; *field < 0 && i < 3; i++)
        *field = rw_vector_find_field(file, default_names[i]);
    return RW_OK;
}

static rw_status read_zone_layer(rw_vector_file *file, const char *path, const char *name_field, rw_zones *zones)
{
    int field, more = 1;
    RW_TRY(find_name_field(file, zones->context, path, name_field, &field));
    for (;;) {
        rw_vector_shape shape = {0};
        char number[48];
        RW_TRY(rw_vector_next(file, &more));
        if (!more)
            return RW_OK;
        RW_TRY(rw_vector_polygons(file, &shape));
        if (!shape.ring_count)
            continue;
        const char *name = field >= 0 ? rw_vector_string(file, field) : NULL;
        snprintf(number, sizeof number, "%zu", zones->count + 1);
        RW_TRY(rw_zones_add(zones, &shape, name && *name ? name : number));
    }
}

static rw_status transform_zones(rw_zones *zones, const char *path, const char *from, const char *to)
{
    int same = 1;
    if (*from && *to)
        RW_TRY(rw_gdal_crs_is_same(zones->context, from, to, &same));
    if (!same)
        RW_TRY(rw_gdal_transform(zones->context, from, to, zones->xy, zones->point_count));
    zones->box[0] = zones->box[1] = INFINITY;
    zones->box[2] = zones->box[3] = -INFINITY;
    for (size_t i = 0; i < zones->point_count; i++) {
        double x = zones->xy[2 * i], y = zones->xy[2 * i + 1];
        if (!isfinite(x) || !isfinite(y))
            return rw_fail(zones->context, RW_BAD_INPUT, "%s has points that %.80s cannot hold", path,
                           *to ? to : "no map");
        zones->box[0] = fmin(zones->box[0], x);
        zones->box[1] = fmin(zones->box[1], y);
        zones->box[2] = fmax(zones->box[2], x);
        zones->box[3] = fmax(zones->box[3], y);
    }
    return RW_OK;
}

static rw_status read_zone_file(rw_vector_file *file, const char *path, const char *crs, const char *name_field,
                                rw_zones *zones)
{
    for (size_t layer = 0; layer < rw_vector_layer_count(file) && !zones->count; layer++) {
        if (!rw_vector_layer_has_shapes(file, layer))
            continue;
        RW_TRY(rw_vector_select(file, layer));
        RW_TRY(read_zone_layer(file, path, name_field, zones));
        if (zones->count)
            return transform_zones(zones, path, rw_vector_crs(file), crs);
    }
    return rw_fail(zones->context, RW_BAD_INPUT, "%s has no polygons", path);
}

rw_status rw_zones_load(rw_context *context, const char *path, const char *crs, const char *name_field, rw_zones *zones)
{
    rw_vector_file *file;
    *zones = (rw_zones){.context = context};
    RW_TRY(rw_vector_open(context, path, &file));
    rw_status status = read_zone_file(file, path, crs, name_field, zones);
    rw_vector_close(file);
    if (status != RW_OK)
        rw_zones_free(zones);
    return status;
}

static int compare_zone_crossings(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

/* Where the rings cross the line through a row's centres, from west to east. */
static size_t find_zone_crossings(const rw_zones *zones, const rw_zone *zone, const double *xy, double y,
                                  double *crossings)
{
    size_t count = 0;
    for (size_t r = 0; r < zone->ring_count; r++) {
        size_t size = zones->ring_sizes[zone->first_ring + r];
        for (size_t i = 0, j = size - 1; i < size; j = i++) {
            const double *a = xy + 2 * j, *b = xy + 2 * i;
            if ((a[1] > y) != (b[1] > y))
                crossings[count++] = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        }
        xy += 2 * size;
    }
    rw_sort(crossings, count, sizeof *crossings, compare_zone_crossings);
    return count;
}

/* The first cell whose centre is not west of a place. */
static size_t cell_from(double x, double x0, double res, size_t count)
{
    double cells = ceil((x - x0) / res - 0.5);
    return cells <= 0 ? 0 : cells >= (double)count ? count : (size_t)cells;
}

rw_status rw_zone_rasterise(const rw_zones *zones, size_t index, const rw_zone_grid *grid, rw_zone_run_fn on_run,
                            void *user)
{
    const rw_zone *zone = &zones->zones[index];
    size_t first_point = 0, points = 0;
    double low = INFINITY, high = -INFINITY, *crossings;
    for (size_t i = 0; i < zone->first_ring + zone->ring_count; i++)
        *(i < zone->first_ring ? &first_point : &points) += zones->ring_sizes[i];
    const double *xy = zones->xy + 2 * first_point;
    for (size_t i = 0; i < points; i++) {
        low = fmin(low, xy[2 * i + 1]);
        high = fmax(high, xy[2 * i + 1]);
    }
    RW_TRY(rw_array_create(zones->context, points + 1, sizeof *crossings, "zones", &crossings));
    size_t row_end = cell_from(high, grid->y0, grid->res, grid->rows);
    for (size_t row = cell_from(low, grid->y0, grid->res, grid->rows); row < row_end; row++) {
        size_t count = find_zone_crossings(zones, zone, xy, grid->y0 + ((double)row + 0.5) * grid->res, crossings);
        for (size_t i = 0; i + 1 < count; i += 2) {
            size_t first = cell_from(crossings[i], grid->x0, grid->res, grid->columns);
            size_t end = cell_from(crossings[i + 1], grid->x0, grid->res, grid->columns);
            if (first < end)
                on_run(user, row, first, end);
        }
    }
    free(crossings);
    return RW_OK;
}
