/* Statistics by zones as CSV, or as the zones' polygons with numbers for a GIS. */
#include "output/statistics/statistics.h"

#include "base/file.h"
#include "ext/gdal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COLUMNS 14

static const char *const columns[COLUMNS] = {"zone",       "cells",  "area_m2",    "receivers", "no_path",
                                             "min",        "mean",   "median",     "max",       "covered",
                                             "covered_pc", "weight", "cov_weight", "cov_w_pc"};

/* The numbers behind the name; NaN: empty. */
static void list_numbers(const rw_zone_table *table, const rw_zone_row *row, double numbers[COLUMNS])
{
    double level = table->has_level ? 1 : NAN, weights = table->has_weights ? 1 : NAN;
    const double all[COLUMNS] = {NAN,
                                 (double)row->cells,
                                 row->area_m2,
                                 (double)row->receivers,
                                 (double)row->without_path,
                                 row->min,
                                 row->mean,
                                 row->median,
                                 row->max,
                                 level * (double)row->covered_cells,
                                 level * 100 * row->covered_fraction,
                                 weights * row->weight,
                                 level * weights * row->covered_weight,
                                 level * weights * 100 * row->covered_weight_fraction};
    memcpy(numbers, all, sizeof all);
}

static void write_zone_name(FILE *out, const char *string)
{
    int plain = !strpbrk(string, ",\"\n\r");
    if (plain) {
        fputs(string, out);
        return;
    }
    fputc('"', out);
    for (; *string; string++)
        fputs(*string == '"' ? "\"\"" : (char[]){*string, 0}, out);
    fputc('"', out);
}

static rw_status write_zones_csv(const rw_zone_table *table, const char *path)
{
    rw_file_writer writer;
    double numbers[COLUMNS];
    RW_TRY(rw_file_begin(table->context, path, &writer));
    for (int i = 0; i < COLUMNS; i++)
        fprintf(writer.stream, "%s%s", i ? "," : "", columns[i]);
    for (size_t k = 0; k < table->class_count; k++) {
        fputc(',', writer.stream);
        write_zone_name(writer.stream, table->class_names[k]);
    }
    fputc('\n', writer.stream);
    for (size_t i = 0; i < table->count; i++) {
        list_numbers(table, &table->rows[i], numbers);
        write_zone_name(writer.stream, table->rows[i].name);
        for (int k = 1; k < COLUMNS; k++)
            if (isnan(numbers[k]))
                fputc(',', writer.stream);
            else
                fprintf(writer.stream, ",%.10g", numbers[k]);
        for (size_t k = 0; k < table->class_count; k++)
            fprintf(writer.stream, ",%zu", table->class_cells[i * table->class_count + k]);
        fputc('\n', writer.stream);
    }
    return rw_file_commit(table->context, &writer);
}

static rw_status write_zone_shapes(const rw_zone_table *table, rw_vector_writer *writer)
{
    rw_vector_field fields[COLUMNS];
    const rw_zones *zones = &table->zones;
    const double *xy = zones->xy;
    for (int i = 0; i < COLUMNS; i++)
        fields[i] = (rw_vector_field){columns[i], i ? RW_FIELD_REAL : RW_FIELD_STRING};
    RW_TRY(rw_vector_writer_layer(writer, "zones", RW_SHAPE_POLYGONS, fields, COLUMNS));
    for (size_t i = 0; i < zones->count; i++) {
        const rw_zone *zone = &zones->zones[i];
        rw_vector_shape shape = {xy, zones->ring_sizes + zone->first_ring, zones->polygon_first + zone->first_polygon,
                                 zone->ring_count, zone->polygon_count};
        double numbers[COLUMNS];
        list_numbers(table, &table->rows[i], numbers);
        RW_TRY(rw_vector_write_polygons(writer, &shape));
        rw_vector_write_string(writer, 0, zone->name);
        for (int k = 1; k < COLUMNS; k++)
            rw_vector_write_real(writer, k, numbers[k]);
        RW_TRY(rw_vector_writer_add(writer));
        for (size_t ring = 0; ring < zone->ring_count; ring++)
            xy += 2 * zones->ring_sizes[zone->first_ring + ring];
    }
    return RW_OK;
}

static rw_status write_zones_vector(const rw_zone_table *table, const char *format, const char *path)
{
    rw_vector_writer *writer;
    RW_TRY(rw_vector_writer_create(table->context, format, path, table->crs, &writer));
    rw_status status = write_zone_shapes(table, writer);
    if (status == RW_OK)
        return rw_vector_writer_finish(writer);
    rw_vector_writer_abandon(writer);
    return status;
}

rw_status rw_zone_table_write(const rw_zone_table *table, const char *path)
{
    static const char *const formats[][2] = {
        {".csv", ""}, {".gpkg", "GPKG"}, {".geojson", "GeoJSON"}, {".shp", "ESRI Shapefile"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++) {
        if (strcasecmp(dot, formats[i][0]) != 0)
            continue;
        if (!*formats[i][1])
            return write_zones_csv(table, path);
        if (!table->zones.count)
            return rw_fail(table->context, RW_BAD_CALL,
                           "%s: without zones there are no polygons; .csv has the whole map", path);
        return write_zones_vector(table, formats[i][1], path);
    }
    return rw_fail(table->context, RW_BAD_CALL, "%s: statistics are written as .csv, .gpkg, .geojson or .shp", path);
}
