/* Map layers as GeoTIFF: float32, tiled, compressed, north up, with coordinate system, nodata and what the values are.
 * Serves: output. */
#include "ext/gdal_internal.h"

#include "base/memory.h"
#include "output/maps/map.h"
#include "ext/gdal_rasters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows from the north, NaN and infinity as the file's own values. */
static void to_file_order(const rw_map *map, const float *values, float *out)
{
    size_t columns = map->info.columns, rows = map->info.rows;
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            float value = values[(rows - 1 - row) * columns + column];
            out[row * columns + column] = rw_to_file_value(value);
        }
}

/* nodata and no_path: values of older files and other programs; NaN where there is none. */
static void from_file_order(size_t columns, size_t rows, const float *values, float nodata, float no_path, float scale,
                            float *out)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            float value = values[row * columns + column];
            out[(rows - 1 - row) * columns + column] = value == nodata    ? NAN
                                                       : value == no_path ? INFINITY
                                                                          : rw_from_file_value(value) * scale;
        }
}

static rw_status write_transmitter_positions(const rw_map *map, GDALDatasetH dataset)
{
    char *positions;
    RW_TRY(rw_map_transmitters_to_string(map, &positions));
    if (*positions)
        GDALSetMetadataItem(dataset, "transmitters", positions, NULL);
    free(positions);
    return RW_OK;
}

/* Where bands are not those of transmitters, as of the best server, their names are a text of a line each. */
static rw_status write_names(const rw_map *map, const rw_layer_data *layer, GDALDatasetH dataset)
{
    size_t length = 1;
    char *names;
    if (layer->bands == map->band_count || layer->levels || !map->band_count)
        return RW_OK;
    for (size_t i = 0; i < map->band_count; i++)
        length += strlen(map->band_names[i]) + 1;
    RW_TRY(rw_array_create(map->context, length, 1, "names", &names));
    for (size_t i = 0, at = 0; i < map->band_count; i++)
        at += (size_t)snprintf(names + at, length - at, "%s%s", i ? "\n" : "", map->band_names[i]);
    GDALSetMetadataItem(dataset, "transmitter_names", names, NULL);
    free(names);
    return RW_OK;
}

static void describe_layer_dataset(const rw_map *map, const rw_layer_data *layer, GDALDatasetH dataset)
{
    double transform[6] = {
        map->info.x0_m,  map->info.res_m, 0, map->info.y0_m + (double)map->info.rows * map->info.res_m, 0,
        -map->info.res_m};
    GDALSetGeoTransform(dataset, transform);
    char plane[RW_PLANE_STRING_MAX];
    if (map->info.has_plane) {
        rw_plane_to_string(map->info.plane_m, plane);
        GDALSetMetadataItem(dataset, "plane", plane, NULL);
    }
    /* a plane has a frame of its own */
    OGRSpatialReferenceH system = map->crs[0] && !map->info.has_plane ? rw_gdal_crs_parse(map->crs) : NULL;
    if (system) {
        GDALSetSpatialRef(dataset, system);
        OSRDestroySpatialReference(system);
    }
    GDALSetMetadataItem(dataset, "layer", layer->name, NULL);
    GDALSetMetadataItem(dataset, "unit", layer->unit, NULL);
    GDALSetMetadataItem(dataset, "rx_height_m", CPLSPrintf("%.17g", map->info.rx_height_m), NULL);
    GDALSetMetadataItem(dataset, "model", map->info.model, NULL);
    GDALSetMetadataItem(dataset, "backend", map->info.backend, NULL);
    GDALSetMetadataItem(dataset, "prior", map->info.prior, NULL);
    if (map->context->provenance)
        GDALSetMetadataItem(dataset, RW_PROVENANCE_KEY, map->context->provenance, NULL);
    GDALSetMetadataItem(dataset, "AREA_OR_POINT", "Area", NULL);
}

static rw_status write_bands(const rw_map *map, const rw_layer_data *layer, GDALDatasetH dataset, float *band_values)
{
    int columns = (int)map->info.columns, rows = (int)map->info.rows;
    for (size_t i = 0; i < layer->bands; i++) {
        GDALRasterBandH band = GDALGetRasterBand(dataset, (int)i + 1);
        GDALSetRasterNoDataValue(band, NAN);
        GDALSetRasterUnitType(band, layer->unit);
        char name[RW_BAND_NAME_MAX];
        rw_layer_band_name(map, layer, i, name);
        GDALSetDescription(band, name);
        to_file_order(map, layer->values + i * map->info.rows * map->info.columns, band_values);
        if (GDALRasterIO(band, GF_Write, 0, 0, columns, rows, band_values, columns, rows, GDT_Float32, 0, 0) != CE_None)
            return RW_IO;
    }
    return RW_OK;
}

rw_status rw_gdal_build_layer(const rw_map *map, const rw_layer_data *layer, const char *memory_path,
                              float *band_values)
{
    /* Planar bands: one transmitter's map is read without the others. A small map has no tiles: they are 256 cells
     * wide, and filling them up would take longer than many predictions. */
    int is_large = map->info.columns > 256 && map->info.rows > 256;
    char *options[] = {is_large ? "TILED=YES" : "TILED=NO",
                       "COMPRESS=DEFLATE",
                       "ZLEVEL=1",
                       "PREDICTOR=3",
                       "INTERLEAVE=BAND",
                       "BIGTIFF=IF_SAFER",
                       NULL};
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GTiff"), memory_path, (int)map->info.columns,
                                      (int)map->info.rows, (int)layer->bands, GDT_Float32, options);
    if (!dataset)
        return RW_IO;
    describe_layer_dataset(map, layer, dataset);
    rw_status status = write_transmitter_positions(map, dataset);
    if (status == RW_OK)
        status = write_names(map, layer, dataset);
    if (status == RW_OK)
        status = write_bands(map, layer, dataset, band_values);
    GDALClose(dataset);
    return status;
}

static rw_status check_geotiff_size(const rw_map *map, const rw_layer_data *layer, const char *path)
{
    const size_t max_cells = 1u << 30;
    if (map->info.columns > max_cells || map->info.rows > max_cells || layer->bands > 65535)
        return rw_fail(map->context, RW_TOO_LARGE, "%s: a GeoTIFF holds no %zu x %zu cells in %zu bands", path,
                       map->info.columns, map->info.rows, layer->bands);
    if (!map->crs[0])
        return RW_OK;
    rw_gdal_crs_about about;
    return rw_gdal_crs_describe(map->context, map->crs, &about);
}

rw_status rw_gdal_write_layer(const rw_map *map, const rw_layer_data *layer, const char *path)
{
    RW_TRY(check_geotiff_size(map, layer, path));
    float *band_values;
    RW_TRY(rw_array_create(map->context, map->info.columns * map->info.rows, sizeof *band_values, path, &band_values));
    char memory_path[512], message[420];
    rw_gdal_guard guard = {0};
    rw_gdal_memory_path(&guard, "layer.tif", memory_path);
    rw_gdal_enter(&guard);
    rw_status status = rw_gdal_build_layer(map, layer, memory_path, band_values);
    rw_gdal_leave();
    free(band_values);
    if (status == RW_OK && !guard.failed)
        return rw_gdal_publish(map->context, memory_path, path);
    VSIUnlink(memory_path);
    if (status == RW_OUT_OF_MEMORY) /* which has its sentence */
        return status;
    return rw_fail(map->context, RW_IO, "%s: making the GeoTIFF failed%s", path, rw_gdal_last_message(&guard, message));
}

static const char *find_item(GDALDatasetH dataset, const char *item, const char *otherwise)
{
    const char *value = GDALGetMetadataItem(dataset, item, NULL);
    return value ? value : otherwise;
}

static rw_status check_grid(rw_context *context, GDALDatasetH dataset, const char *path, double transform[6])
{
    if (GDALGetGeoTransform(dataset, transform) != CE_None)
        return rw_fail(context, RW_BAD_INPUT, "%s says not where it lies; a map has a position and a cell size", path);
    double width = transform[1], height = -transform[5];
    if (transform[2] != 0 || transform[4] != 0 || !(width > 0) || !(fabs(height - width) <= 1e-6 * width))
        return rw_fail(context, RW_BAD_INPUT, "%s has cells of %g x %g; a map has square cells and north up", path,
                       width, height);
    return RW_OK;
}

static rw_status read_band_lines(rw_map *map, const char *names)
{
    char line[512];
    size_t count = 1;
    for (const char *at = names; *at; at++)
        count += *at == '\n';
    RW_TRY(rw_map_set_bands(map, count));
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(names, "\n");
        snprintf(line, sizeof line, "%.*s", length < sizeof line ? (int)length : (int)sizeof line - 1, names);
        RW_TRY(rw_string_replace(map->context, line, &map->band_names[i]));
        names += length + (names[length] == '\n');
    }
    return RW_OK;
}

static rw_status read_names(rw_map *map, GDALDatasetH dataset, size_t bands)
{
    const char *names = GDALGetMetadataItem(dataset, "transmitter_names", NULL);
    if (names) {
        const char *of_names = GDALGetMetadataItem(dataset, "transmitters", NULL);
        RW_TRY(read_band_lines(map, names));
        return rw_map_transmitters_from_string(map, of_names ? of_names : "");
    }
    RW_TRY(rw_map_set_bands(map, bands));
    for (size_t i = 0; i < bands; i++)
        RW_TRY(rw_string_replace(map->context, GDALGetDescription(GDALGetRasterBand(dataset, (int)i + 1)),
                                 &map->band_names[i]));
    const char *positions = GDALGetMetadataItem(dataset, "transmitters", NULL);
    return rw_map_transmitters_from_string(map, positions ? positions : "");
}

static rw_status read_bands(rw_map *map, GDALDatasetH dataset, const char *path, const rw_gdal_guard *guard)
{
    int columns = (int)map->info.columns, rows = (int)map->info.rows, bands = GDALGetRasterCount(dataset);
    size_t cells = map->info.columns * map->info.rows;
    char message[420];
    float *values, *band_values;
    RW_TRY(rw_map_add_layer(map, find_item(dataset, "layer", "layer"), find_item(dataset, "unit", ""), (size_t)bands,
                            &values));
    RW_TRY(read_names(map, dataset, (size_t)bands));
    RW_TRY(rw_array_create(map->context, cells, sizeof *band_values, path, &band_values));
    CPLErr error = CE_None;
    float no_path = GDALGetMetadataItem(dataset, "no_path", NULL) ? RW_FILE_NO_PATH_ONCE : NAN;
    for (int i = 0; i < bands && error == CE_None; i++) {
        GDALRasterBandH band = GDALGetRasterBand(dataset, i + 1);
        int has_nodata, has_scale;
        float nodata = (float)GDALGetRasterNoDataValue(band, &has_nodata);
        float scale = (float)GDALGetRasterScale(band, &has_scale);
        error = GDALRasterIO(band, GF_Read, 0, 0, columns, rows, band_values, columns, rows, GDT_Float32, 0, 0);
        if (error == CE_None)
            from_file_order(map->info.columns, map->info.rows, band_values, has_nodata ? nodata : NAN, no_path,
                            has_scale ? scale : 1.0f, values + (size_t)i * cells);
    }
    free(band_values);
    if (error != CE_None)
        return rw_fail(map->context, RW_BAD_INPUT, "%s is damaged%s", path, rw_gdal_last_message(guard, message));
    return RW_OK;
}

static rw_status read_dataset(rw_context *context, GDALDatasetH dataset, const char *path, const rw_gdal_guard *guard,
                              rw_map **map)
{
    double transform[6];
    RW_TRY(rw_gdal_record_inputs(context, dataset));
    RW_TRY(check_grid(context, dataset, path, transform));
    rw_map_info info = {.size = sizeof info,
                        .columns = (size_t)GDALGetRasterXSize(dataset),
                        .rows = (size_t)GDALGetRasterYSize(dataset),
                        .x0_m = transform[0],
                        .res_m = transform[1]};
    info.y0_m = transform[3] - (double)info.rows * info.res_m;
    info.model = find_item(dataset, "model", "");
    info.backend = find_item(dataset, "backend", "");
    info.prior = find_item(dataset, "prior", "");
    const char *height = GDALGetMetadataItem(dataset, "rx_height_m", NULL);
    info.rx_height_m = height ? CPLAtof(height) : 0;
    const char *plane = GDALGetMetadataItem(dataset, "plane", NULL);
    info.has_plane = plane && rw_plane_from_string(plane, info.plane_m);
    RW_TRY(rw_map_check_position(context, &info, path));
    OGRSpatialReferenceH system = GDALGetSpatialRef(dataset);
    info.in_degrees = system && OSRIsGeographic(system);
    char *crs = rw_gdal_crs_wkt(system);
    rw_status status = rw_map_create(context, &info, crs, map);
    CPLFree(crs);
    if (status == RW_OK)
        status = read_bands(*map, dataset, path, guard);
    if (status != RW_OK) {
        rw_map_destroy(*map);
        *map = NULL;
    }
    return status;
}

rw_status rw_gdal_read_map(rw_context *context, const char *path, rw_map **map)
{
    rw_gdal_guard guard = {0};
    char message[420];
    *map = NULL;
    rw_gdal_enter(&guard);
    GDALDatasetH dataset = NULL;
    rw_status status = RW_OK;
    if (rw_gdal_is_region(path))
        status = rw_gdal_open_region(context, path, &dataset);
    else
        dataset = rw_gdal_open_raster(path);
    if (dataset)
        status = read_dataset(context, dataset, path, &guard, map);
    else if (status == RW_OK)
        status = rw_fail(context, RW_BAD_INPUT, "%s cannot be read as a raster%s", path,
                         rw_gdal_last_message(&guard, message));
    if (dataset)
        GDALClose(dataset);
    rw_gdal_leave();
    return status;
}
