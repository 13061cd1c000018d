/* Predictions at points as features, with a field for each layer and band. */
#include "ext/gdal.h"
#include "output/maps/map.h"
#include "output/vectors/vectors.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINT_FIELDS_MAX 512
#define POINT_FIELD_NAME_MAX 96

typedef struct point_fields {
    size_t count;
    rw_vector_field fields[POINT_FIELDS_MAX];
    char names[POINT_FIELDS_MAX][POINT_FIELD_NAME_MAX];
    const float *values[POINT_FIELDS_MAX]; /* NULL: number and height */
} point_fields;

static void append_point_field(point_fields *list, const char *name, rw_field_kind kind, const float *values)
{
    snprintf(list->names[list->count], POINT_FIELD_NAME_MAX, "%s", name);
    list->fields[list->count] = (rw_vector_field){list->names[list->count], kind};
    list->values[list->count++] = values;
}

static rw_status list_point_fields(const rw_map *map, point_fields *list)
{
    append_point_field(list, "id", RW_FIELD_INTEGER, NULL);
    append_point_field(list, "height", RW_FIELD_REAL, NULL);
    for (size_t i = 0; i < map->info.layers; i++)
        for (size_t band = 0; band < map->layers[i].bands; band++) {
            char of_band[64] = "", name[POINT_FIELD_NAME_MAX];
            if (list->count == POINT_FIELDS_MAX)
                return rw_fail(map->context, RW_TOO_LARGE,
                               "points have at most %d fields: give fewer layers or transmitters", POINT_FIELDS_MAX);
            if (map->layers[i].bands > 1)
                RW_TRY(rw_map_get_band_name(map, i, band, of_band, sizeof of_band));
            snprintf(name, sizeof name, "%.30s%s%s", map->layers[i].name, *of_band ? " " : "", of_band);
            append_point_field(list, name, RW_FIELD_REAL, map->layers[i].values + band * map->info.columns);
        }
    return RW_OK;
}

/* What is not a finite number is left unset. */
static rw_status write_point_features(const rw_map *map, const rw_point *points, const point_fields *list,
                                      rw_vector_writer *writer)
{
    for (size_t i = 0; i < map->info.columns; i++) {
        double height_m = isnan(points[i].height_m) ? map->info.rx_height_m : points[i].height_m;
        rw_vector_write_integer(writer, 0, (long long)i + 1);
        rw_vector_write_real(writer, 1, height_m);
        for (size_t field = 2; field < list->count; field++)
            rw_vector_write_real(writer, (int)field,
                                 isfinite(list->values[field][i]) ? (double)list->values[field][i] : (double)NAN);
        RW_TRY(rw_vector_write_point(writer, points[i].x_m, points[i].y_m));
        RW_TRY(rw_vector_writer_add(writer));
    }
    return RW_OK;
}

static rw_status write_points_layer(const rw_map *map, const rw_point *points, const char *path, point_fields *list)
{
    const char *format = rw_polygons_format(path);
    rw_vector_writer *writer;
    if (!format || strcmp(format, "KML") == 0)
        return rw_fail(map->context, RW_BAD_CALL, "%s: points are written as NAME.gpkg, NAME.geojson or NAME.shp",
                       path);
    RW_TRY(list_point_fields(map, list));
    RW_TRY(rw_vector_writer_create(map->context, format, path, map->crs, &writer));
    rw_status status = rw_vector_writer_layer(writer, "points", RW_SHAPE_POINT, list->fields, list->count);
    if (status == RW_OK)
        status = write_point_features(map, points, list, writer);
    if (status == RW_OK)
        return rw_vector_writer_finish(writer);
    rw_vector_writer_abandon(writer);
    return status;
}

rw_status rw_map_write_points(const rw_map *map, const rw_point *points, const char *path)
{
    point_fields *list;
    if (map->info.rows != 1)
        return rw_fail(map->context, RW_BAD_CALL, "the map is not one of points; use rw_predict_points");
    RW_TRY(rw_array_create(map->context, 1, sizeof *list, "points", &list));
    rw_status status = write_points_layer(map, points, path, list);
    free(list);
    return status;
}
