#include "output/vectors/vectors.h"

#include "base/memory.h"
#include "base/options.h"
#include "ext/gdal.h"
#include "output/pictures/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void rw_polygon_options_init_sized(rw_polygon_options *options, size_t size)
{
    const rw_polygon_options own = {0};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static const char *const formats[][2] = {
    {".gpkg", "GPKG"}, {".geojson", "GeoJSON"}, {".shp", "ESRI Shapefile"}, {".kml", "KML"}, {".kmz", "KMZ"}};

const char *rw_polygons_format(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(dot, formats[i][0]) == 0)
            return formats[i][1];
    return NULL;
}

rw_status rw_polygons_check_name(rw_context *context, const char *path)
{
    if (!rw_polygons_format(path))
        return rw_fail(context, RW_BAD_CALL, "%s: polygons are written as .gpkg, .geojson, .shp, .kml or .kmz", path);
    if (!rw_gdal_is_in())
        return rw_fail(context, RW_UNSUPPORTED,
                       "%s: polygons need GDAL, which this build does not have; install it and build with -DRW_GDAL=ON",
                       path);
    return RW_OK;
}

/* The number of the class that a value is in. */
static int32_t find_value_class(const rw_polygons *polygons, const rw_polygon_options *options,
                                const rw_layer_style *style, float value)
{
    if (!isfinite(value))
        return RW_NO_CLASS;
    if (!options->level_count) {
        double index = floor((double)value - style->min + 0.5);
        return index >= 0 && index < (double)polygons->class_count ? (int32_t)index : RW_NO_CLASS;
    }
    int32_t found = RW_NO_CLASS;
    for (size_t i = 0; i < options->level_count; i++)
        if ((double)value >= options->levels[i])
            found = (int32_t)i;
    return found;
}

static void name_ranges(rw_polygons *polygons, const rw_polygon_options *options, const rw_layer_style *style)
{
    const char *unit = polygons->layer->unit;
    for (size_t i = 0; i < options->level_count; i++) {
        rw_polygon_class *one = &polygons->classes[i];
        int last = i + 1 == options->level_count;
        *one = (rw_polygon_class){(int)i, options->levels[i], last ? NAN : options->levels[i + 1], "", {0, 0, 0}};
        if (last)
            snprintf(one->name, sizeof one->name, "%g %.20s or more", one->from, unit);
        else
            snprintf(one->name, sizeof one->name, "%g to %g %.20s", one->from, one->to, unit);
        double fraction = options->level_count > 1 ? (double)i / ((double)options->level_count - 1) : 1;
        if (style->bright_is_low)
            fraction = 1 - fraction;
        one->colour = style->steps[(int)((0.15 + 0.85 * fraction) * (RW_COLOUR_STEPS - 1))];
    }
}

static void name_values(rw_polygons *polygons, const rw_layer_style *style)
{
    for (size_t i = 0; i < polygons->class_count; i++) {
        rw_polygon_class *one = &polygons->classes[i];
        *one = (rw_polygon_class){(int)style->min + (int)i, NAN, NAN, "", rw_layer_class_colour(style, i)};
        rw_layer_class_name(style, i, one->name);
    }
}

static rw_status check_levels(const rw_map *map, const rw_layer_data *layer, const rw_polygon_options *options,
                              const rw_layer_style *style)
{
    if (!options->level_count && style->kind == RW_SCALE_CONTINUOUS)
        return rw_fail(map->context, RW_BAD_CALL,
                       "polygons of the layer %s need levels between its ranges, such as -100,-90,-80", layer->name);
    for (size_t i = 0; i < options->level_count; i++)
        if (!isfinite(options->levels[i]) || (i > 0 && options->levels[i] <= options->levels[i - 1]))
            return rw_fail(map->context, RW_BAD_CALL, "levels of polygons rise from one to the next; %g does not",
                           options->levels[i]);
    return RW_OK;
}

/* The classes of a band and their regions. */
static rw_status find_class_polygons(const rw_map *map, const rw_polygon_options *options, rw_polygons *polygons)
{
    size_t index = 0, cells = map->info.columns * map->info.rows;
    rw_layer_style style;
    int32_t *classes;
    if (options->layer)
        RW_TRY(rw_map_find_layer(map, options->layer, &index));
    else if (!map->info.layers)
        return rw_fail(map->context, RW_BAD_CALL, "the map has no layer");
    polygons->map = map;
    polygons->layer = &map->layers[index];
    if (options->band >= polygons->layer->bands)
        return rw_fail(map->context, RW_BAD_CALL, "layer %s has %zu band%s, there is no number %zu",
                       polygons->layer->name, polygons->layer->bands, polygons->layer->bands == 1 ? "" : "s",
                       options->band + 1);
    if (map->info.has_plane)
        return rw_fail(map->context, RW_BAD_CALL, "a map on a plane in space has no polygons on the ground");
    RW_TRY(rw_layer_style_init(map, polygons->layer, options->band, 0, 0, &style));
    RW_TRY(check_levels(map, polygons->layer, options, &style));
    polygons->title = style.title;
    polygons->class_count = options->level_count ? options->level_count : style.class_count;
    RW_TRY(
        rw_array_create(map->context, polygons->class_count, sizeof *polygons->classes, "classes", &polygons->classes));
    if (options->level_count)
        name_ranges(polygons, options, &style);
    else
        name_values(polygons, &style);
    RW_TRY(rw_array_create(map->context, cells, sizeof *classes, "classes", &classes));
    for (size_t i = 0; i < cells; i++)
        classes[i] = find_value_class(polygons, options, &style, polygons->layer->values[options->band * cells + i]);
    rw_status status = rw_regions_find(map->context, classes, map->info.columns, map->info.rows, polygons->class_count,
                                       &polygons->regions);
    free(classes);
    return status;
}

rw_status rw_polygons_points(const rw_polygons *polygons, size_t class_index, double **xy, size_t *point_count)
{
    const rw_regions *regions = &polygons->regions;
    const rw_map_info *info = &polygons->map->info;
    size_t first_ring = regions->polygon_first[regions->class_first[class_index]];
    size_t end_ring = regions->polygon_first[regions->class_first[class_index + 1]];
    size_t first = regions->ring_first[first_ring], count = regions->ring_first[end_ring] - first;
    RW_TRY(rw_array_create(polygons->map->context, 2 * count + 1, sizeof **xy, "outlines", xy));
    for (size_t i = 0; i < count; i++) {
        (*xy)[2 * i] = info->x0_m + regions->points[2 * (first + i)] * info->res_m;
        (*xy)[2 * i + 1] = info->y0_m + regions->points[2 * (first + i) + 1] * info->res_m;
    }
    *point_count = count;
    return RW_OK;
}

/* Rings of a class as the writer takes them. */
static rw_status write_class_shape(const rw_polygons *polygons, size_t class_index, rw_vector_writer *writer)
{
    const rw_regions *regions = &polygons->regions;
    size_t first = regions->class_first[class_index], count = regions->class_first[class_index + 1] - first;
    size_t first_ring = regions->polygon_first[first], rings = regions->polygon_first[first + count] - first_ring;
    size_t *sizes, *polygon_first, points;
    double *xy;
    RW_TRY(rw_array_create(polygons->map->context, rings + count + 2, sizeof *sizes, "outlines", &sizes));
    polygon_first = sizes + rings;
    for (size_t i = 0; i < rings; i++)
        sizes[i] = regions->ring_first[first_ring + i + 1] - regions->ring_first[first_ring + i];
    for (size_t i = 0; i <= count; i++)
        polygon_first[i] = regions->polygon_first[first + i] - first_ring;
    rw_status status = rw_polygons_points(polygons, class_index, &xy, &points);
    if (status == RW_OK) {
        rw_vector_shape shape = {xy, sizes, polygon_first, rings, count};
        status = rw_vector_write_polygons(writer, &shape);
        free(xy);
    }
    free(sizes);
    return status;
}

enum { FIELD_CLASS, FIELD_NAME, FIELD_FROM, FIELD_TO, FIELD_UNIT, FIELD_CELLS, FIELD_AREA, FIELD_COLOUR, FIELDS };

static rw_status write_class_shapes(const rw_polygons *polygons, rw_vector_writer *writer)
{
    static const rw_vector_field fields[FIELDS] = {{"class", RW_FIELD_INTEGER}, {"name", RW_FIELD_STRING},
                                                   {"from", RW_FIELD_REAL},     {"to", RW_FIELD_REAL},
                                                   {"unit", RW_FIELD_STRING},   {"cells", RW_FIELD_INTEGER},
                                                   {"area_m2", RW_FIELD_REAL},  {"colour", RW_FIELD_STRING}};
    const rw_map_info *info = &polygons->map->info;
    RW_TRY(rw_vector_writer_layer(writer, polygons->layer->name, RW_SHAPE_POLYGONS, fields, FIELDS));
    for (size_t i = 0; i < polygons->class_count; i++) {
        const rw_polygon_class *one = &polygons->classes[i];
        size_t cells = polygons->regions.class_cells[i];
        char colour[8];
        if (!cells)
            continue;
        snprintf(colour, sizeof colour, "#%02x%02x%02x", one->colour.red, one->colour.green, one->colour.blue);
        RW_TRY(write_class_shape(polygons, i, writer));
        rw_vector_write_integer(writer, FIELD_CLASS, one->value);
        rw_vector_write_string(writer, FIELD_NAME, one->name);
        rw_vector_write_real(writer, FIELD_FROM, one->from);
        rw_vector_write_real(writer, FIELD_TO, one->to);
        rw_vector_write_string(writer, FIELD_UNIT, polygons->layer->unit);
        rw_vector_write_integer(writer, FIELD_CELLS, (long long)cells);
        rw_vector_write_real(writer, FIELD_AREA, info->in_degrees ? NAN : (double)cells * info->res_m * info->res_m);
        rw_vector_write_string(writer, FIELD_COLOUR, colour);
        RW_TRY(rw_vector_writer_add(writer));
    }
    return RW_OK;
}

static rw_status write_polygons_vector(const rw_polygons *polygons, const char *format, const char *path)
{
    rw_vector_writer *writer;
    RW_TRY(rw_vector_writer_create(polygons->map->context, format, path, polygons->map->crs, &writer));
    rw_status status = write_class_shapes(polygons, writer);
    if (status == RW_OK)
        return rw_vector_writer_finish(writer);
    rw_vector_writer_abandon(writer);
    return status;
}

rw_status rw_map_write_polygons(const rw_map *map, const rw_polygon_options *user_options, const char *path)
{
    rw_polygon_options options;
    rw_polygons polygons = {0};
    rw_polygon_options_init(&options);
    RW_TRY(rw_polygons_check_name(map->context, path));
    if (user_options)
        RW_TRY(RW_RESOLVE(map->context, user_options, &options));
    const char *format = rw_polygons_format(path);
    rw_status status = find_class_polygons(map, &options, &polygons);
    if (status == RW_OK && strncmp(format, "KM", 2) == 0)
        status = rw_polygons_write_kml(&polygons, path, strcmp(format, "KMZ") == 0);
    else if (status == RW_OK)
        status = write_polygons_vector(&polygons, format, path);
    free(polygons.classes);
    rw_regions_free(&polygons.regions);
    return status;
}
